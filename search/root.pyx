"""The set-up of a search (see root.pxd)."""
from engine.movegen cimport captures, evasions, legal, quiets
from engine.movetext cimport usi_of
from engine.position cimport Pos, in_check
from engine.rules cimport TRY_RULE, can_declare, try_move
from engine.types cimport MATE, MAX_MOVES, Move

from engine.errors import Listed, UserError
from engine.rules import RULES


cdef Rules rules_for(Position position, settings):
    cdef Rules rules
    if settings.entering_king_rule not in RULES:
        raise UserError("{rule!r} is not an entering-king rule; use one of {rules}",
                        rule=settings.entering_king_rule, rules=Listed(RULES))
    rules.entering_king = RULES[settings.entering_king_rule]
    rules.max_moves = settings.max_moves
    rules.draw[position.turn] = settings.draw_value[position.turn]
    rules.draw[position.turn ^ 1] = -settings.draw_value[position.turn]
    return rules


cdef list root_moves(Position position, limits, settings):
    cdef Move[MAX_MOVES] moves
    cdef const Pos* pos = &position.pos
    cdef int count, i
    if limits.searchmoves:
        return [position.legal_move(usi) for usi in dict.fromkeys(limits.searchmoves)]
    if settings.generate_all_legal_moves:
        count = legal(pos, moves)
    elif in_check(pos):
        count = evasions(pos, moves)
    else:
        count = captures(pos, moves)
        count += quiets(pos, moves + count)
    return [moves[i] for i in range(count)]


cdef tuple decided_by_rules(Position position, const Rules* rules):
    if position.is_mate():
        return None, -MATE, 0, "mated"
    if can_declare(&position.pos, rules.entering_king):
        return None, MATE - 1, 0, "declaration"
    if rules.entering_king == TRY_RULE and try_move(&position.pos):
        return usi_of(try_move(&position.pos)), MATE - 1, 1, "move"
    return None


cdef i64 smallest(limit, other):
    return min(limit or other, other or limit) if limit or other else 0
