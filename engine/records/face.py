"""What `Position` asks of this room: pictures of it, and its moves as people write them."""
from engine.records.moves import format_move as format_move
from engine.records.moves import parse_move as parse_move
from engine.records.picture import draw as draw
from engine.records.svg import draw_svg as draw_svg
