-------------------------------- MODULE Lease --------------------------------
(* What must never happen: two holders, a token that does not grow, a turn   *)
(* taken from somebody. One key, as the scripts and the engine treat it,     *)
(* over a network that loses, delays, repeats and reorders: a message stays  *)
(* once it was sent, so it may arrive never, late, often. Time is in ticks.  *)
(* Who is served when is in Turns.tla: here a caller may close, a waiting    *)
(* instance may ask, at any time.                                            *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Inst,      \* instances
          Lens,      \* lengths of the leases that callers ask for
          Claim,     \* how long a reservation lasts
          Drift,     \* what an instance's clock may lose while it counts a lease
          Margin,    \* what it takes off a lease for that
          H,         \* how old the confirmation of a grant that is handed on may be
          T,         \* time-out of a command that callers wait for
          Block,     \* tokens that are set aside at a time
          MaxW, MaxTime, MaxAtt, MaxNet, MaxTok, MaxCrash, MaxDelete,
          Broken     \* rules that are left out
Is(x) == x \in Broken
Max(x, y) == IF x > y THEN x ELSE y
None == <<>>
Unknown == 99        \* in place of the last token used
NoLease == [o |-> None, res |-> FALSE, e |-> 0, b |-> 0]
VARIABLES now, lease, queue, fence, net, c, g
vars == <<now, lease, queue, fence, net, c, g>>
redis == <<lease, queue, fence>>
-----------------------------------------------------------------------------
\* ph: idle; ask: an attempt waits for its turn; own: a caller holds; closed: it
\* does not any more, and Redis is asked whether the next caller may.
\* w callers wait; n: number of the attempt; s, sl: when the command under way was
\* sent, and its lease; b: first token of the grant; last: of the caller of now;
\* nxt..end: what is left of the block; dl: deadline; len: lease of the caller of now.
Idle == [up |-> TRUE, ph |-> "idle", n |-> 0, w |-> 0, s |-> 0, sl |-> 0, b |-> 0,
         nxt |-> 0, end |-> 0, last |-> 0, dl |-> 0, len |-> 0]
Attempt(i) == <<i, c[i].n>>
\* By a clock that has lost as much as it may
Until(s, len) == s + len + Drift - (IF Is("no-margin") THEN 0 ELSE Margin)
Valid(i) == now < c[i].dl
Bel(i) == c[i].up /\ c[i].ph = "own" /\ Valid(i)
Fresh(i) == now + Until(0, c[i].len) <= c[i].dl + H
HasToken(r) == r.nxt <= r.end
Alive(cc, a) == cc[a[1]].up /\ cc[a[1]].ph # "idle" /\ cc[a[1]].n = a[2]
\* An answer is that of the command under way: others have timed out
Matches(r, m) == r.s # 0 /\ r.s = m.s /\ r.sl = m.len
\* What can have no effect any more leaves the set; it keeps the model small.
Clean(S) ==
  LET Lives(a) == Alive(c', a)
      R(a) == c'[a[1]]
      Has(a) == \/ lease'.o # None /\ lease'.o[1] = a[1]
                \/ \E k \in 1..Len(queue') : queue'[k][1] = a[1]
                \/ Lives(a)
                \/ \E m \in S : (m.k = "acq" /\ m.a = a) \/ (m.k = "rel" /\ m.rq = a)
      Potent(m) ==
        CASE m.k = "acq" -> TRUE
          [] m.k \in {"rel", "ren"} -> Has(m.a)
          [] m.k = "own" -> /\ Lives(m.a) /\ R(m.a).ph = "ask"
                            /\ Matches(R(m.a), m) \/ Is("answer-matched-to-latest-send")
          [] m.k = "renOk" -> /\ Lives(m.a) /\ R(m.a).ph \in {"own", "closed"}
                              /\ R(m.a).ph = "own" => now' < R(m.a).dl
          [] OTHER -> Lives(m.a)
      Plain(m) == IF m.k = "acq" /\ ~(Lives(m.a) /\ Matches(R(m.a), m))
                     /\ ~Is("answer-matched-to-latest-send")
                  THEN [m EXCEPT !.s = 0] ELSE m
  IN {Plain(m) : m \in {x \in S : Potent(x)}}
Send(S) == net' = Clean(net \cup S)
Client(i, r, S) == /\ c' = [c EXCEPT ![i] = r]
                   /\ UNCHANGED <<now, redis>> /\ Send(S)
Quiet == UNCHANGED g
\* A caller of i begins its work with a token; late: Redis has not had this grant
\* any more for longer than a confirmation counts
Use(i, t) == g' = [g EXCEPT !.max = Max(@, t), !.tok = @ \/ t <= g.max,
                     !.stale = @ \/ (/\ g.deleted # 0 /\ lease.o # Attempt(i)
                                     /\ now > g.deleted + Max(H, T))]
-----------------------------------------------------------------------------
Init == /\ now = 1 /\ lease = NoLease /\ queue = <<>> /\ fence = 0 /\ net = {}
        /\ c = [i \in Inst |-> Idle]
        /\ g = [max |-> 0, tok |-> FALSE, theft |-> FALSE, robbed |-> FALSE,
                order |-> FALSE, gone |-> FALSE, stale |-> FALSE, expired |-> FALSE,
                deleted |-> 0, crashes |-> 0]
Tick == /\ now <= MaxTime /\ now' = now + 1
        /\ LET over == lease.o # None /\ now + 1 >= lease.e IN
           /\ lease' = IF over THEN NoLease ELSE lease
           /\ g' = IF over THEN [g EXCEPT !.expired = TRUE] ELSE g
        /\ UNCHANGED <<queue, fence, c>> /\ Send({})
\* Somebody deletes the key: exclusion is not promised then, the rest is
Delete == /\ MaxDelete > 0 /\ g.deleted = 0 /\ lease.o # None /\ ~lease.res
          /\ lease' = NoLease /\ g' = [g EXCEPT !.deleted = now, !.expired = TRUE]
          /\ UNCHANGED <<now, queue, fence, c>> /\ Send({})
-----------------------------------------------------------------------------
(* The instance: Cohort, Attempt, Grant, Hold, Succession, Release, Undo      *)
NextId(i) == IF Is("attempt-reused") THEN 1 ELSE c[i].n + 1
\* Callers who wait have a new attempt
Over(i) == LET r == c[i] IN
           IF r.w > 0 /\ r.n < MaxAtt
           THEN [Idle EXCEPT !.ph = "ask", !.w = r.w, !.n = NextId(i)]
           ELSE [Idle EXCEPT !.n = r.n]
Rel(a, last, rq) == [k |-> "rel", a |-> a, last |-> last, rq |-> rq]
Arrive(i) == LET r == c[i] IN
   /\ r.up /\ r.w < MaxW
   /\ IF r.ph = "idle"
      THEN r.n < MaxAtt /\ Client(i, [Idle EXCEPT !.ph = "ask", !.w = 1, !.n = NextId(i)], {})
      ELSE Client(i, [r EXCEPT !.w = @ + 1], {})
   /\ Quiet
\* The last one to give up ends the attempt, and undoes it
GiveUp(i) == LET r == c[i] IN
   /\ r.up /\ r.w > 0
   /\ IF r.ph = "ask" /\ r.w = 1
      THEN Client(i, [Idle EXCEPT !.n = r.n],
             IF Is("no-undo") THEN {} ELSE {Rel(Attempt(i), 0, None)})
      ELSE Client(i, [r EXCEPT !.w = @ - 1],
             IF r.ph = "ask" /\ Is("first-caller-ends-attempt")
             THEN {Rel(Attempt(i), 0, None)} ELSE {})
   /\ Quiet
\* What has timed out is asked again, by the same attempt
SendAcquire(i) == \E len \in Lens :
   /\ c[i].up /\ c[i].ph = "ask"
   /\ Client(i, [c[i] EXCEPT !.s = now, !.sl = len],
        {[k |-> "acq", a |-> Attempt(i), s |-> now, len |-> len]})
   /\ Quiet
RcvGranted(i) == \E m \in net : LET r == c[i] IN
   /\ m.k \in {"own", "hint"} /\ m.a = Attempt(i) /\ r.up /\ r.ph = "ask" /\ r.s # 0
   /\ m.k = "hint" \/ Matches(r, m) \/ Is("answer-matched-to-latest-send")
   /\ \E len \in IF Is("answer-for-another-lease") THEN Lens ELSE {m.len} :
      LET d == CASE Is("deadline-from-answer") -> Until(now, len)
                 [] Is("answer-matched-to-latest-send") -> Until(r.s, len)
                 [] OTHER -> Until(m.s, len) IN
      /\ now < d /\ now <= m.s + T
      /\ Client(i, [r EXCEPT !.ph = "own", !.w = @ - 1, !.s = 0, !.sl = 0, !.b = m.b,
                  !.nxt = m.b + 1, !.end = m.b + Block - 1, !.last = m.b, !.dl = d,
                  !.len = len], {})
   /\ Use(i, m.b)
Renewal(i, len) == [k |-> "ren", a |-> Attempt(i), s |-> now, len |-> len, b |-> c[i].b,
                    nb |-> ~HasToken(c[i]), rq |-> None]
SendRenew(i) == /\ Bel(i) /\ (Until(now, c[i].len) > c[i].dl \/ ~HasToken(c[i]))
                /\ Client(i, c[i], {Renewal(i, c[i].len)})
                /\ Quiet
\* Only a block above the one in use counts: another answer may have come first
Adopt(r, m) == IF m.nb # 0 /\ (m.nb > r.end \/ Is("late-answer-resets-block"))
               THEN [r EXCEPT !.nxt = m.nb, !.end = m.nb + Block - 1,
                       !.b = IF Is("renew-matches-newest-block") THEN m.nb ELSE @]
               ELSE r
\* One for another lease than that of the caller of now says nothing
RcvRenewed(i) == \E m \in net : LET r == c[i] IN
   /\ m.k = "renOk" /\ m.a = Attempt(i) /\ Bel(i)
   /\ m.len = r.len
   /\ Client(i, [Adopt(r, m) EXCEPT
                   !.dl = Max(@, Until(IF Is("deadline-from-answer") THEN now ELSE m.s, r.len))],
             {})
   /\ Quiet
\* A close: the next caller has it at once, or after Redis was asked, or it goes back
HandOn(i, r) == /\ Client(i, [r EXCEPT !.ph = "own", !.last = r.nxt, !.nxt = @ + 1,
                                !.w = @ - 1, !.s = 0, !.sl = 0], {})
                /\ Use(i, r.nxt)
HandOff(i) == LET r == c[i] IN
   /\ r.up /\ r.ph = "own" /\ r.w > 0
   /\ Valid(i) \/ Is("handoff-past-deadline")
   /\ Fresh(i) \/ Is("handoff-unconfirmed") \/ Is("handoff-past-deadline")
   /\ HasToken(r) \/ Is("block-past-end")
   /\ HandOn(i, r)
Confirm(i) == \E len \in Lens : LET r == c[i] IN
   /\ Bel(i) /\ r.w > 0 /\ ~(Fresh(i) /\ HasToken(r) /\ len = r.len)
   /\ Client(i, [r EXCEPT !.ph = "closed", !.s = now, !.sl = len], {Renewal(i, len)})
   /\ Quiet
RcvConfirmed(i) == \E m \in net : LET r == Adopt(c[i], m) d == Until(m.s, m.len) IN
   /\ m.k = "renOk" /\ m.a = Attempt(i) /\ c[i].up /\ c[i].ph = "closed"
   /\ Matches(c[i], m) /\ now < d /\ now <= m.s + T
   /\ HasToken(r) /\ r.w > 0
   /\ HandOn(i, [r EXCEPT !.dl = IF m.len = r.len THEN Max(@, d) ELSE d, !.len = m.len])
\* Back to Redis, and those who wait here take the last place with it, where others
\* wait elsewhere. A closed hold's: Redis did not confirm it, or nobody waits now.
Release(i) == LET r == c[i] IN
   /\ r.up /\ (Bel(i) \/ r.ph = "closed")
   /\ \E rq \in {FALSE} \cup {r.w > 0 /\ r.n < MaxAtt} :
        Client(i, Over(i), {Rel(Attempt(i), r.last, IF rq THEN <<i, NextId(i)>> ELSE None)})
   /\ Quiet
\* Time is over: its close, whenever that comes, tells Redis
Expire(i) == LET r == c[i] IN
   /\ r.up /\ r.ph = "own" /\ ~Valid(i)
   /\ Client(i, Over(i), {Rel(Attempt(i), r.last, None)})
   /\ Quiet
RcvGone(i) == LET r == c[i] IN
   /\ r.up /\ (Bel(i) \/ r.ph = "closed")
   /\ \E m \in net : m.k = "gone" /\ m.a = Attempt(i)
   /\ Client(i, Over(i), {})
   /\ Quiet
\* A message, or an answer, for an attempt that is over: whatever Redis has of it ends
UndoLate(i) == \E n \in 1..c[i].n :
   /\ c[i].up /\ ~Alive(c, <<i, n>>)
   /\ lease.o = <<i, n>> \/ \E k \in 1..Len(queue) : queue[k] = <<i, n>>
   /\ Client(i, c[i], {Rel(<<i, n>>, IF Is("late-undo-as-unused") THEN 0 ELSE Unknown, None)})
   /\ Quiet
Crash(i) == /\ c[i].up /\ g.crashes < MaxCrash
            /\ Client(i, [Idle EXCEPT !.up = FALSE], {})
            /\ g' = [g EXCEPT !.crashes = @ + 1]
-----------------------------------------------------------------------------
(* Redis: acquire.lua, renew.lua, release.lua, each one step                  *)
Same(x, y) == IF Is("place-per-instance") \/ Is("lease-per-instance")
              THEN x # None /\ x[1] = y[1] ELSE x = y
Owner(x, y) == IF Is("lease-per-instance") THEN x # None /\ x[1] = y[1] ELSE x = y
Places(a) == {k \in 1..Len(queue) : Same(queue[k], a)}
Without(q, a) == SelectSeq(q, LAMBDA x : ~Same(x, a))
Answer(S) == UNCHANGED <<now, c>> /\ Send(S)
DoAcquire == \E m \in net : m.k = "acq" /\
   LET free == lease.o = None
       mine == lease.res /\ (Same(lease.o, m.a) \/ Is("claim-without-reservation"))
       own  == ~lease.res /\ Owner(lease.o, m.a)
       e    == now + m.len
       ok(b) == {[k |-> "own", a |-> m.a, s |-> m.s, len |-> m.len, b |-> b]} IN
   \/ /\ free \/ mine
      /\ lease' = [o |-> m.a, res |-> FALSE, e |-> e, b |-> fence + 1]
      /\ fence' = fence + (IF Is("block-not-reserved") THEN 1 ELSE Block)
      /\ queue' = Without(queue, m.a)
      /\ g' = [g EXCEPT
           !.robbed = @ \/ (mine /\ lease.o # m.a)
                        \/ \E k \in Places(m.a) : queue[k] # m.a,
           !.order = @ \/ (~g.expired /\
                (IF free THEN queue # <<>> /\ ~Same(queue[1], m.a)
                         ELSE ~Same(lease.o, m.a)))]
      /\ Answer(ok(fence + 1))
   \/ /\ own
      /\ lease' = [lease EXCEPT !.e =
              CASE Is("acquire-shortens") -> e
                [] Is("acquire-does-not-extend") -> @
                [] OTHER -> Max(@, e)]
      /\ Quiet /\ UNCHANGED <<queue, fence>>
      /\ Answer(ok(lease.b))
   \/ /\ ~free /\ ~mine /\ ~own
      /\ queue' = IF Places(m.a) = {} THEN Append(queue, m.a)
                  ELSE [k \in 1..Len(queue) |-> IF k \in Places(m.a) THEN m.a ELSE queue[k]]
      /\ Quiet /\ UNCHANGED <<lease, fence>>
      /\ Answer({})
DoRenew == \E m \in net : m.k = "ren" /\
   LET held == lease.o # None /\ ~lease.res
       ok == held /\ (Is("renew-without-owner") \/ (Owner(lease.o, m.a) /\ lease.b = m.b))
       e  == now + m.len IN
   IF ok
   THEN /\ lease' = [lease EXCEPT !.e = IF Is("renew-shortens") THEN e ELSE Max(@, e),
              !.b = IF m.nb /\ Is("renew-matches-newest-block") THEN fence + 1 ELSE @]
        /\ fence' = IF m.nb THEN fence + Block ELSE fence
        /\ g' = [g EXCEPT !.theft = @ \/ lease.o # m.a]
        /\ UNCHANGED queue
        /\ Answer({[k |-> "renOk", a |-> m.a, s |-> m.s, len |-> m.len,
                    nb |-> IF m.nb THEN fence + 1 ELSE 0]})
   ELSE /\ g' = [g EXCEPT !.gone = @ \/ (~lease.res /\ lease.o = m.a
                             /\ Alive(c, m.a) /\ Bel(m.a[1]))]
        /\ UNCHANGED redis
        /\ Answer({[k |-> "gone", a |-> m.a]})
\* The head gets a reservation; an empty queue deletes the lease
PassOn(q) == /\ lease' = IF q = <<>> THEN NoLease
                         ELSE [o |-> q[1], res |-> TRUE, e |-> now + Claim, b |-> 0]
             /\ queue' = IF q = <<>> THEN q ELSE Tail(q)
\* Messages are hints, after which an instance does what it may do at any time
Hint(q) == IF q # <<>> /\ Is("hint-trusted")
   THEN \E len \in Lens : Answer({[k |-> "hint", a |-> q[1], s |-> now, len |-> len,
                                   b |-> fence' + 1]})
   ELSE Answer({})
DoRelease == \E m \in net : m.k = "rel" /\
   LET own == lease.o # None /\ ~lease.res /\
              (Owner(lease.o, m.a) \/ Is("release-without-owner"))
       mine == lease.res /\ Same(lease.o, m.a)
       low == CASE m.last = Unknown -> fence
                [] Is("fence-below-lease") -> m.last
                [] OTHER -> Max(m.last, lease.b - 1)
       has == \E k \in 1..Len(queue) : queue[k] = m.rq
       more == m.rq # None /\ (~has \/ Is("requeue-twice"))
       q == IF more THEN Append(queue, m.rq) ELSE queue IN
   \/ /\ own /\ fence' = low
      /\ g' = [g EXCEPT !.theft = @ \/ lease.o # m.a]
      /\ IF Is("requeue-after-choice") /\ queue = <<>> /\ more
         THEN lease' = NoLease /\ queue' = q /\ Answer({})
         ELSE PassOn(q) /\ Hint(q)
   \/ /\ mine /\ UNCHANGED fence
      /\ g' = [g EXCEPT !.robbed = @ \/ lease.o # m.a]
      /\ PassOn(queue) /\ Hint(queue)
   \/ /\ ~own /\ ~mine
      /\ queue' = Without(queue, m.a)
      /\ g' = [g EXCEPT !.robbed = @ \/ \E k \in Places(m.a) : queue[k] # m.a]
      /\ UNCHANGED <<lease, fence>> /\ Answer({})
-----------------------------------------------------------------------------
Next == Tick \/ Delete \/ DoAcquire \/ DoRenew \/ DoRelease \/
        \E i \in Inst : Arrive(i) \/ GiveUp(i) \/ SendAcquire(i) \/ RcvGranted(i)
           \/ SendRenew(i) \/ RcvRenewed(i) \/ HandOff(i) \/ Confirm(i) \/ RcvConfirmed(i)
           \/ Release(i) \/ Expire(i) \/ RcvGone(i) \/ UndoLate(i) \/ Crash(i)
Spec == Init /\ [][Next]_vars
Bound == Cardinality(net) <= MaxNet /\ fence <= MaxTok
Symmetry == Permutations(Inst)
-----------------------------------------------------------------------------
Exclusion  == \A i, j \in Inst : i # j => ~(Bel(i) /\ Bel(j))    \* I1
Backed     == \A i \in Inst : Bel(i) =>                          \* I1, I8
                 lease.o = Attempt(i) /\ ~lease.res /\ c[i].dl <= lease.e
NoTheft    == ~g.theft                           \* I2, the lease
NoRobbery  == ~g.robbed                          \* I2, place and reservation
TokensGrow == ~g.tok                             \* I3; so none is used twice
FenceAbove == g.max <= fence                     \* I3, in Redis
Order      == ~g.order                           \* I4
OnePlace   == \A j, k \in 1..Len(queue) : j # k => queue[j] # queue[k]
Bounded    == lease.o # None =>                  \* I6
                 now < lease.e /\ \E len \in Lens \cup {Claim} : lease.e <= now + len
\* I7: what Redis has is of an attempt that goes on, or of one whose end it may yet
\* be told; but for what comes so late that a lease has run out meanwhile
Owed(a)    == \/ Alive(c, a) \/ ~c[a[1]].up
              \/ \E m \in net : m.k = "rel" /\ m.a = a
NoOrphan   == g.expired \/
              /\ lease.o # None => Owed(lease.o)
              /\ \A k \in 1..Len(queue) : Owed(queue[k])
TrueGone   == ~g.gone                            \* no holder is told a false loss
NoStale    == ~g.stale    \* who begins after a deletion was confirmed before it
=============================================================================
