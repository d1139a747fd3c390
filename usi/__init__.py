"""The talking room: USI text in and out, the session loop, bench and the command line."""
