------------------------------- MODULE Record -------------------------------
(* What must never happen: two holders, a token that does not grow, a turn   *)
(* taken from somebody, a lease that comes back after its end. One lock is   *)
(* one record, as the scripts and the engine treat it, over a network that   *)
(* loses, delays, repeats and reorders: a message stays once it was sent, so *)
(* it may arrive never, late, often. Time is in ticks. Who is served when is *)
(* in Turns.tla: here a caller may close, a waiting instance may ask, at any *)
(* time.                                                                     *)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS Inst,      \* instances
          Lens,      \* lengths of the leases that callers ask for
          Fixed,     \* those of them that are fixed: no watchdog
          Rets,      \* retentions that instances are configured with
          Claim,     \* how long a reservation lasts
          Keep,      \* what is left of a minimum hold; 0: there is none
          Drift,     \* what an instance's clock may lose while it counts a lease
          Margin,    \* what it takes off a lease for that
          H,         \* how old the confirmation of a grant that is handed on may be
          T,         \* time-out of a command that callers wait for
          Block,     \* tokens that are set aside at a time
          Linger,    \* a grant may be kept idle
          Orderly,   \* what was sent before an undoing never comes after it
          MaxW, MaxTime, MaxAtt, MaxNet, MaxTok, MaxCrash, MaxDelete, MaxForce, MaxOlder, MaxSetBack,
          Broken     \* rules that are left out
Is(x) == x \in Broken
Max(x, y) == IF x > y THEN x ELSE y
Min(x, y) == IF x < y THEN x ELSE y
None == <<>>
Unknown == 99        \* in place of the last token used
NoRecord == [st |-> "-", o |-> None, f |-> 0, l |-> 0, ret |-> 0, x |-> 0]
VARIABLES now, rec, queue, old, net, c, g
vars == <<now, rec, queue, old, net, c, g>>
redis == <<rec, queue, old>>
\* rec: state o, l, r, k or f ("-": no record), attempt, first, last, retention, and when its
\* TTL is over; queue: places; old: an earlier value of both, which a replica or a disk has
End(r) == r.x - r.ret
LiveAt(t, r) == r.st # "-" /\ t < End(r)
Live == LiveAt(now, rec)
Given(r) == r.st \in {"o", "l"}
Half(ret) == (ret + 1) \div 2
In(q, a) == \E k \in 1..Len(q) : q[k] = a
-----------------------------------------------------------------------------
\* ph: idle; ask: an attempt waits for its turn; own: a caller holds; closed: it
\* does not any more, and Redis is asked whether the next caller may; linger: the grant is
\* kept idle. w callers wait; n: number of the attempt; s, sl: when the command under way
\* was sent, and its lease; b: first token of the grant; last: of the caller of now;
\* nxt..end: what is left of the block; dl: deadline; len: lease of the caller of now;
\* from: when a fixed one began.
Idle == [up |-> TRUE, ph |-> "idle", n |-> 0, w |-> 0, s |-> 0, sl |-> 0, b |-> 0,
         nxt |-> 0, end |-> 0, last |-> 0, dl |-> 0, len |-> 0, from |-> 0]
Attempt(i) == <<i, c[i].n>>
\* By a clock that has lost as much as it may
Until(s, len) == s + len + Drift - (IF Is("no-margin") THEN 0 ELSE Margin)
Valid(i) == now < c[i].dl
Believes(i) == c[i].up /\ c[i].ph = "own" /\ Valid(i)
Idles(i) == c[i].up /\ c[i].ph = "linger" /\ Valid(i)
Fresh(i) == now + Until(0, c[i].len) <= c[i].dl + H
HasToken(r) == r.nxt <= r.end
Alive(cc, a) == cc[a[1]].up /\ cc[a[1]].ph # "idle" /\ cc[a[1]].n = a[2]
\* An answer is that of the command under way: others have timed out
Matches(r, m) == r.s # 0 /\ r.s = m.s /\ r.sl = m.len
\* What can have no effect any more leaves the set; it keeps the model small.
Loose == Broken \cap {"release-without-owner", "renew-without-owner", "lease-per-instance",
                      "place-per-instance", "renew-ignores-release", "renew-ignores-state",
                      "release-lengthens", "requeue-without-lease"} # {}
Clean(S) ==
  LET Lives(a) == Alive(c', a)
      R(a) == c'[a[1]]
      Has(a) == \/ Lives(a) \/ Loose
                \/ rec'.o = a \/ In(queue', a)
                \/ (MaxOlder > 0 /\ (old'.rec.o = a \/ In(old'.queue, a)))
                \/ \E m \in S : (m.k = "acq" /\ m.a = a) \/ (m.k = "rel" /\ m.rq = a)
      Potent(m) ==
        CASE m.k = "acq" -> TRUE
          [] m.k \in {"rel", "ren"} -> Has(m.a)
          [] m.k = "own" -> /\ Lives(m.a) /\ R(m.a).ph = "ask"
                            /\ Matches(R(m.a), m) \/ Is("answer-matched-to-latest-send")
          [] m.k = "renOk" -> /\ Lives(m.a) /\ R(m.a).ph \in {"own", "closed", "linger"}
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
Lost == MaxDelete + MaxForce + MaxOlder > 0
\* A caller of i begins its work with a token; late: Redis has not had this grant
\* any more for longer than a confirmation counts
Use(i, t) == g' = [g EXCEPT !.max = Max(@, t), !.tok = @ \/ t <= g.max,
                     !.twice = @ \/ t \in g.used,
                     !.used = IF Lost THEN @ \cup {t} ELSE @,
                     !.stale = @ \/ (/\ g.cut # 0 /\ now > g.cut + Max(H, T)
                                     /\ ~(Live /\ rec.o = Attempt(i) /\ rec.f = c'[i].b))]
-----------------------------------------------------------------------------
Init == /\ now = 1 /\ rec = NoRecord /\ queue = <<>> /\ net = {}
        /\ old = [rec |-> NoRecord, queue |-> <<>>, saves |-> 0, backs |-> 0]
        /\ c = [i \in Inst |-> Idle]
        /\ g = [max |-> 0,                           \* greatest token used
                hi |-> 0,                            \* and greatest that was set aside
                clock |-> 0,                         \* what the server's clock is above
                used |-> {}, tok |-> FALSE, twice |-> FALSE, low |-> FALSE, theft |-> FALSE,
                robbed |-> FALSE, order |-> FALSE, gone |-> FALSE, stale |-> FALSE,
                revived |-> FALSE, early |-> FALSE,
                expired |-> FALSE, kept |-> 0, cut |-> 0, over |-> {},
                deletes |-> 0, forces |-> 0, setbacks |-> 0, crashes |-> 0]
Tick == /\ now <= MaxTime /\ now' = now + 1
        /\ LET gone == rec.st # "-" /\ now + 1 >= rec.x
               over == Live /\ ~LiveAt(now + 1, rec) IN
           /\ rec' = IF gone THEN NoRecord ELSE rec
           /\ queue' = IF gone THEN <<>> ELSE queue
           /\ g' = [g EXCEPT !.expired = @ \/ (over /\ rec.st # "k"),
                             !.clock = IF gone THEN g.hi ELSE @]
        /\ UNCHANGED <<c, old>> /\ Send({})
Cut(r) == IF Live /\ Given(r) THEN now ELSE g.cut
\* Somebody deletes the key, or Redis has evicted it: exclusion is not promised then, the
\* rest is
Delete == /\ g.deletes < MaxDelete /\ rec.st # "-"
          /\ rec' = NoRecord /\ queue' = <<>>
          /\ g' = [g EXCEPT !.deletes = @ + 1, !.expired = TRUE, !.kept = 0, !.clock = g.hi,
                     !.cut = Cut(rec)]
          /\ UNCHANGED <<now, c, old>> /\ Send({})
\* A failover, or a restart: the record is one that it was before. TTLs are absolute
Save == /\ old.saves < MaxOlder
        /\ old' = [old EXCEPT !.saves = @ + 1, !.rec = rec, !.queue = queue]
        /\ UNCHANGED <<now, rec, queue, c, g>> /\ Send({})
GoBack == /\ old.backs < MaxOlder /\ old.saves > 0
          /\ LET there == old.rec.st # "-" /\ now < old.rec.x IN
             /\ rec' = IF there THEN old.rec ELSE NoRecord
             /\ queue' = IF there THEN old.queue ELSE <<>>
          /\ old' = [old EXCEPT !.backs = @ + 1]
          /\ g' = [g EXCEPT !.expired = TRUE, !.kept = 0, !.clock = g.hi, !.cut = Cut(rec)]
          /\ UNCHANGED <<now, c>> /\ Send({})
\* The server's clock is set back by a tick: all that is left of a TTL grows
SetBack == /\ g.setbacks < MaxSetBack /\ rec.st # "-"
           /\ rec' = [rec EXCEPT !.x = @ + 1]
           /\ g' = [g EXCEPT !.setbacks = @ + 1, !.kept = @ + 1]
           /\ UNCHANGED <<now, queue, c, old>> /\ Send({})
-----------------------------------------------------------------------------
(* The instance: Cohort, Attempt, Grant, Hold, HandOff, Release, Undo         *)
NextId(i) == IF Is("attempt-reused") THEN 1 ELSE c[i].n + 1
\* Callers who wait have a new attempt
Over(i) == LET r == c[i] IN
           IF r.w > 0 /\ r.n < MaxAtt
           THEN [Idle EXCEPT !.ph = "ask", !.w = r.w, !.n = NextId(i)]
           ELSE [Idle EXCEPT !.n = r.n]
Rel(a, last, rq, kp) == [k |-> "rel", a |-> a, last |-> last, rq |-> rq, kp |-> kp]
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
             IF Is("no-undo") THEN {} ELSE {Rel(Attempt(i), 0, None, 0)})
      ELSE Client(i, [r EXCEPT !.w = @ - 1],
             IF r.ph = "ask" /\ Is("first-caller-ends-attempt")
             THEN {Rel(Attempt(i), 0, None, 0)} ELSE {})
   /\ Quiet
\* What has timed out is asked again, by the same attempt
SendAcquire(i) == \E len \in Lens :
   /\ c[i].up /\ c[i].ph = "ask"
   /\ Client(i, [c[i] EXCEPT !.s = now, !.sl = len],
        {[k |-> "acq", a |-> Attempt(i), s |-> now, len |-> len]})
   /\ Quiet
From(len, s) == IF len \in Fixed THEN s ELSE 0
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
                  !.len = len, !.from = From(len, m.s)], {})
   /\ Use(i, m.b)
\* This attempt had it, and has it no more
RcvEnded(i) == /\ c[i].up /\ c[i].ph = "ask"
               /\ \E m \in net : m.k = "ended" /\ m.a = Attempt(i)
               /\ Client(i, Over(i), {}) /\ Quiet
Renewal(i, len) == [k |-> "ren", a |-> Attempt(i), s |-> now, len |-> len, b |-> c[i].b,
                    nb |-> ~HasToken(c[i]), rq |-> None]
\* The watchdog's: of a fixed lease there is none
SendRenew(i) == /\ Believes(i) \/ Idles(i)
                /\ c[i].len \notin Fixed \/ Is("fixed-renewed")
                /\ (Until(now, c[i].len) > c[i].dl \/ ~HasToken(c[i]))
                /\ Client(i, c[i], {Renewal(i, c[i].len)})
                /\ Quiet
\* Only a block above the one in use counts: another answer may have come first
Adopt(r, m) == IF m.nb # 0 /\ (m.nb > r.end \/ Is("late-answer-resets-block"))
               THEN [r EXCEPT !.nxt = m.nb, !.end = m.nb + Block - 1,
                       !.b = IF Is("renew-matches-newest-block") THEN m.nb ELSE @]
               ELSE r
\* One for another lease than that of the caller of now says nothing
RcvRenewed(i) == \E m \in net : LET r == c[i] IN
   /\ m.k = "renOk" /\ m.a = Attempt(i) /\ m.len = r.len
   /\ Believes(i) \/ Idles(i)
   /\ Client(i, [Adopt(r, m) EXCEPT
                   !.dl = Max(@, Until(IF Is("deadline-from-answer") THEN now ELSE m.s, r.len))],
             {})
   /\ Quiet
\* A close: the next caller has it at once, or after Redis was asked, or it is kept idle,
\* or goes back
HandOn(i, r, s) == /\ Client(i, [r EXCEPT !.ph = "own", !.last = r.nxt, !.nxt = @ + 1,
                                   !.w = @ - 1, !.s = 0, !.sl = 0, !.from = From(r.len, s)], {})
                   /\ Use(i, r.nxt)
PastDeadline(idle) == (~idle /\ Is("handoff-past-deadline")) \/ (idle /\ Is("idle-taken-past-deadline"))
Unconfirmed(idle)  == (~idle /\ Is("handoff-unconfirmed")) \/ (idle /\ Is("idle-taken-unconfirmed"))
HandOff(i) == LET r == c[i] idle == r.ph = "linger" IN
   /\ r.up /\ r.ph \in {"own", "linger"} /\ r.w > 0
   /\ Valid(i) \/ PastDeadline(idle)
   /\ Fresh(i) \/ PastDeadline(idle) \/ Unconfirmed(idle)
   /\ r.len \notin Fixed \/ Is("fixed-handed-on-at-once")
   /\ HasToken(r) \/ Is("block-past-end")
   \* who is handed it begins, whatever the deadline says
   /\ HandOn(i, IF Valid(i) THEN r ELSE [r EXCEPT !.dl = now + 1], now)
Confirm(i) == \E len \in Lens : LET r == c[i] IN
   /\ Believes(i) \/ Idles(i)
   /\ r.w > 0 /\ ~(Fresh(i) /\ HasToken(r) /\ len = r.len /\ len \notin Fixed)
   /\ Client(i, [r EXCEPT !.ph = "closed", !.s = now, !.sl = len], {Renewal(i, len)})
   /\ Quiet
RcvConfirmed(i) == \E m \in net : LET r == Adopt(c[i], m) d == Until(m.s, m.len) IN
   /\ m.k = "renOk" /\ m.a = Attempt(i) /\ c[i].up /\ c[i].ph = "closed"
   /\ Matches(c[i], m) /\ now < d /\ now <= m.s + T
   /\ HasToken(r) /\ r.w > 0
   /\ HandOn(i, [r EXCEPT !.dl = IF m.len = r.len /\ m.len \notin Fixed THEN Max(@, d) ELSE d,
                          !.len = m.len], m.s)
GoIdle(i) == /\ Linger /\ Believes(i) /\ c[i].w = 0 /\ c[i].len \notin Fixed
             /\ Client(i, [c[i] EXCEPT !.ph = "linger"], {}) /\ Quiet
Close(i) == LET r == c[i] IN
   /\ r.up /\ (Believes(i) \/ r.ph \in {"closed", "linger"})
   /\ \E rq \in {FALSE} \cup {r.w > 0 /\ r.n < MaxAtt} : \E kp \in {0, Keep} :
        Client(i, Over(i), {Rel(Attempt(i), r.last, IF rq /\ kp = 0 THEN <<i, r.n + 1>> ELSE None, kp)})
   /\ Quiet
\* An idle grant is given back though a caller has just been handed it
GiveBackInUse(i) == /\ Is("given-back-in-use") /\ Linger /\ Believes(i)
                    /\ Client(i, c[i], {Rel(Attempt(i), c[i].last, None, 0)}) /\ Quiet
Expire(i) == LET r == c[i] IN
   /\ r.up /\ r.ph \in {"own", "linger"} /\ ~Valid(i)
   /\ Client(i, Over(i), {Rel(Attempt(i), r.last, None, 0)})
   /\ Quiet
RcvGone(i) == LET r == c[i] IN
   /\ r.up /\ (Believes(i) \/ r.ph \in {"closed", "linger"})
   /\ \E m \in net : m.k \in {"gone", "forced"} /\ m.a = Attempt(i)
   /\ Client(i, Over(i), {})
   /\ Quiet
\* A message, or an answer, for an attempt that is over: whatever Redis has of it ends
UndoLate(i) == \E n \in 1..c[i].n :
   /\ c[i].up /\ ~Alive(c, <<i, n>>)
   /\ (Live /\ rec.o = <<i, n>>) \/ In(queue, <<i, n>>)
   /\ Client(i, c[i], {Rel(<<i, n>>, IF Is("late-undo-as-unused") THEN 0 ELSE Unknown, None, 0)})
   /\ Quiet
Crash(i) == /\ c[i].up /\ g.crashes < MaxCrash
            /\ Client(i, [Idle EXCEPT !.up = FALSE], {})
            /\ g' = [g EXCEPT !.crashes = @ + 1]
-----------------------------------------------------------------------------
(* Redis: each script one step                                               *)
Same(x, y) == IF Is("place-per-instance") \/ Is("lease-per-instance")
              THEN x # None /\ y # None /\ x[1] = y[1] ELSE x = y
Owner(x, y) == IF Is("lease-per-instance") THEN x # None /\ x[1] = y[1] ELSE x = y
Without(q, a) == SelectSeq(q, LAMBDA x : ~Same(x, a))
Robs(q, a) == \E k \in 1..Len(q) : Same(q[k], a) /\ q[k] # a
Placed(q, a) == IF a = None \/ \E k \in 1..Len(q) : Same(q[k], a) THEN q ELSE Append(q, a)
Answer(S) == UNCHANGED <<now, c, old>> /\ Send(S)
\* Where a block begins. The clock is above all that was set aside before a record was lost
Start(ignored) == Max(rec.l, IF ignored THEN 0 ELSE g.clock) + 1
\* Messages are hints, after which an instance does what it may do at any time
Granted(q) == IF q # <<>> /\ Is("hint-trusted")
              THEN {[k |-> "hint", a |-> q[1], s |-> now, len |-> len, b |-> rec'.l + 1] : len \in Lens}
              ELSE {}
\* The answer to who forces it, in its own instance; the message to another one is a hint
Forced(a) == {[k |-> "forced", a |-> a]}
\* r has last as it shall be; the first place gets the record reserved, or it is free: k if it
\* was forced or reserved, f if its lease was released
Passed(r, q, st) ==
  IF q = <<>> THEN [r EXCEPT !.st = st, !.x = now + (IF Is("release-to-zero") THEN r.ret ELSE Half(r.ret))]
  ELSE [r EXCEPT !.st = "r", !.o = q[1], !.x = now + Claim + r.ret,
          !.l = IF Is("reserved-drops-last") THEN 0 ELSE @,
          !.f = IF Is("reserved-keeps-first") THEN @ ELSE r.l + 1]
Rest(q) == IF q = <<>> THEN q ELSE Tail(q)
Acquire == \E m \in net : m.k = "acq" /\
   LET absent == rec.st = "-"
       free == ~absent /\ ~Live
       mine == Live /\ rec.st = "r" /\ (Same(rec.o, m.a) \/ Is("claim-without-reservation"))
       own  == /\ Live /\ Owner(rec.o, m.a)
               /\ Given(rec) \/ (rec.st = "k" /\ Is("kept-taken-again"))
       ended == /\ rec.o = m.a
                /\ \/ free /\ (rec.st # "r" \/ Is("reservation-ended")) /\ ~Is("ended-ignored")
                   \/ Live /\ rec.st = "k" /\ ~Is("kept-not-ended") /\ ~Is("kept-taken-again")
                   \/ Live /\ rec.st = "f"
       head == IF queue = <<>> THEN TRUE ELSE Same(queue[1], m.a) \/ Is("expiry-to-asker")
       first == Start(Is("acquire-ignores-clock"))
       last == IF Is("block-not-set-aside") THEN first ELSE first + Block - 1
       granted(b) == {[k |-> "own", a |-> m.a, s |-> m.s, len |-> m.len, b |-> b]} IN
   \/ /\ ~own /\ ~ended
      /\ absent \/ (free /\ head) \/ mine
      /\ \E r \in Rets :
           rec' = [st |-> IF Linger THEN "l" ELSE "o", o |-> m.a, f |-> first, l |-> last, ret |-> r,
                   x |-> now + m.len + r]
      /\ queue' = IF Is("place-stays") THEN queue ELSE Without(queue, m.a)
      /\ g' = [g EXCEPT
           !.hi = Max(@, last), !.low = @ \/ first <= g.max,
           !.robbed = @ \/ (mine /\ rec.o # m.a) \/ Robs(queue, m.a),
           !.revived = @ \/ (free /\ rec.o = m.a /\ rec.st # "r"),
           !.early = @ \/ now < g.kept,
           !.order = @ \/ (IF mine THEN ~Same(rec.o, m.a)
                           ELSE queue # <<>> /\ ~Same(queue[1], m.a))]
      /\ Answer(granted(first))
   \/ /\ own
      /\ \E r \in (IF Is("acquire-own-retention") THEN Rets ELSE {rec.ret}) :
         rec' = [rec EXCEPT !.st = IF @ = "k" THEN "o" ELSE @, !.x =
              CASE Is("acquire-shortens") -> now + m.len + r
                [] Is("acquire-does-not-extend") -> @
                [] OTHER -> Max(@, now + m.len + r)]
      /\ g' = [g EXCEPT !.revived = @ \/ rec.st = "k"]
      /\ UNCHANGED queue
      /\ Answer(granted(rec.f))
   \/ /\ ended
      /\ UNCHANGED <<rec, queue>>
      /\ g' = [g EXCEPT !.gone = @ \/ rec.st = "r"]
      /\ Answer({[k |-> "ended", a |-> m.a]})
   \* A lease, reservation or minimum hold is over, and others wait
   \/ /\ free /\ ~head /\ ~ended
      /\ rec' = Passed(rec, queue, rec.st) /\ queue' = Placed(Rest(queue), m.a)
      /\ Quiet /\ Answer(Granted(queue))
   \/ /\ Live /\ ~mine /\ ~own /\ ~ended
      /\ queue' = IF Is("place-each-time") THEN Append(queue, m.a) ELSE Placed(queue, m.a)
      /\ g' = [g EXCEPT !.revived = @ \/ (rec.st = "k" /\ rec.o = m.a)]
      /\ UNCHANGED rec /\ Answer({})
Renew == \E m \in net : m.k = "ren" /\
   \* An expired lease starts again, unless another command has changed its record
   LET ok == /\ \/ Given(rec)
                \/ rec.st = "k" /\ Live /\ Is("renew-ignores-state")
                \/ rec.st = "f" /\ Is("renew-ignores-release")
             /\ \/ Is("renew-without-owner")
                \/ Owner(rec.o, m.a) /\ (rec.f = m.b \/ Is("renew-ignores-first"))
       next == Start(Is("renew-ignores-clock")) IN
   IF ok
   THEN /\ \E r \in (IF Is("renew-own-retention") THEN Rets ELSE {rec.ret}) :
             LET x == now + m.len + r IN
             rec' = [rec EXCEPT !.x = IF Is("renew-shortens") THEN x ELSE Max(@, x),
                       !.l = IF m.nb THEN next + Block - 1 ELSE @,
                       !.f = IF m.nb /\ Is("renew-matches-newest-block") THEN next ELSE @]
        /\ g' = [g EXCEPT !.theft = @ \/ rec.o # m.a, !.revived = @ \/ rec.st \in {"k", "f"},
                          !.low = @ \/ (m.nb /\ next <= g.max), !.hi = Max(@, rec'.l)]
        /\ UNCHANGED queue
        /\ Answer({[k |-> "renOk", a |-> m.a, s |-> m.s, len |-> m.len,
                    nb |-> IF m.nb THEN next ELSE 0]})
   ELSE /\ g' = [g EXCEPT !.gone = @ \/ (/\ Live /\ Given(rec) /\ rec.o = m.a
                                         /\ Alive(c, m.a) /\ Believes(m.a[1])
                                         /\ g.cut = 0)]
        /\ UNCHANGED <<rec, queue>>
        /\ Answer({[k |-> "gone", a |-> m.a]})
\* Orderly: the undoing went down the connection behind them
Undone(m) == net' = Clean(
   IF Orderly /\ ~Alive(c, m.a)
   THEN {IF x.k = "rel" /\ x.rq = m.a /\ ~Is("requeue-repeated") THEN [x EXCEPT !.rq = None] ELSE x :
           x \in {y \in net : ~(y.k \in {"acq", "ren"} /\ y.a = m.a)}}
   ELSE net)
\* What an attempt has ends: the lease, a reservation (where its rest is over, the same does
\* no harm, and is final even if the clock goes back), a place
Release == \E m \in net : m.k = "rel" /\
   LET again == Is("release-lengthens") /\ rec.st = "k" /\ rec.o = m.a
       lease == again \/ (Given(rec) /\ (Owner(rec.o, m.a) \/ (Live /\ Is("release-without-owner"))))
       has == Live /\ lease
       mine == rec.st = "r" /\ Same(rec.o, m.a) /\ (Live \/ ~Is("reservation-over-stays"))
       low == IF Is("set-back-below-first") THEN 0 ELSE rec.f - 1
       back == CASE m.last = Unknown -> IF Is("unknown-sets-back") THEN low ELSE rec.l
                 [] OTHER -> Min(rec.l, Max(m.last, low))
       rq == IF has \/ Is("requeue-without-lease") THEN m.rq ELSE None
       q0 == Without(queue, m.a)
       q1 == CASE rq # None /\ Is("requeue-twice") -> Append(q0, rq)
               [] Is("requeue-after-choice") -> q0
               [] OTHER -> Placed(q0, rq)
       r == [rec EXCEPT !.l = back]
       over == IF Orderly /\ ~Alive(c, m.a) THEN g.over \cup {m.a} ELSE g.over
       g1 == [g EXCEPT !.theft = @ \/ (lease /\ rec.o # m.a), !.over = over,
                       !.robbed = @ \/ (mine /\ rec.o # m.a) \/ Robs(queue, m.a)] IN
   /\ UNCHANGED <<now, c, old>>
   /\ \/ /\ has /\ m.kp > 0
         /\ rec' = [r EXCEPT !.st = "k",
                      !.x = IF Is("keep-cut") THEN Min(@, now + m.kp + r.ret) ELSE now + m.kp + r.ret]
         /\ queue' = q0
         /\ g' = [g1 EXCEPT !.kept = IF again THEN @ ELSE now + m.kp]
      \/ /\ lease /\ ~(has /\ m.kp > 0)
         /\ \E ret \in (IF Is("release-own-retention") THEN Rets ELSE {r.ret}) :
            rec' = IF q1 = <<>> THEN [Passed(r, q1, IF again THEN r.st ELSE "f") EXCEPT !.x = @ - Half(r.ret) + Half(ret)]
                                ELSE Passed(r, q1, r.st)
         /\ queue' = IF Is("requeue-after-choice") THEN Placed(Rest(q1), rq) ELSE Rest(q1)
         /\ g' = g1
      \/ /\ ~lease /\ mine
         /\ rec' = Passed(r, q0, "k") /\ queue' = Rest(q0)
         /\ g' = g1
      \/ /\ ~lease /\ ~mine
         /\ queue' = Placed(q0, rq)
         /\ UNCHANGED rec /\ g' = g1
   /\ Undone(m)
\* For operators: who has the key, and an end to that. last stays at the end of the block
Find == IF Live /\ rec.st \in {"o", "l", "k"} THEN rec.o ELSE None
Force == /\ g.forces < MaxForce /\ Find # None
         /\ rec' = Passed(IF Is("force-sets-back") THEN [rec EXCEPT !.l = rec.f] ELSE rec, queue, "k")
         /\ queue' = Rest(queue)
         /\ g' = [g EXCEPT !.forces = @ + 1, !.expired = TRUE, !.kept = 0, !.cut = Cut(rec)]
         /\ Answer(Forced(rec.o) \cup Granted(queue))
-----------------------------------------------------------------------------
Next == Tick \/ Delete \/ Save \/ GoBack \/ SetBack \/ Acquire \/ Renew \/ Release \/ Force \/
        \E i \in Inst : Arrive(i) \/ GiveUp(i) \/ SendAcquire(i) \/ RcvGranted(i)
           \/ RcvEnded(i) \/ SendRenew(i) \/ RcvRenewed(i) \/ HandOff(i) \/ Confirm(i)
           \/ RcvConfirmed(i) \/ GoIdle(i) \/ Close(i) \/ GiveBackInUse(i) \/ Expire(i)
           \/ RcvGone(i) \/ UndoLate(i) \/ Crash(i)
Spec == Init /\ [][Next]_vars
Bound == Cardinality(net) <= MaxNet /\ g.hi <= MaxTok
Symmetry == Permutations(Inst)
-----------------------------------------------------------------------------
Exclusion  == \A i, j \in Inst : i # j => ~(Believes(i) /\ Believes(j))    \* I1
Backed     == \A i \in Inst : Believes(i) =>     \* I1, I8
                 Given(rec) /\ Find = Attempt(i) /\ c[i].dl <= End(rec)
NoTheft    == ~g.theft                           \* I2, the lease
NoRobbery  == ~g.robbed                          \* I2, place and reservation
TokensGrow == ~g.tok                             \* I3, in the order of holds
\* I3 where exclusion was lost: none twice, and what is given is above all that were used
TokensOnce == ~g.twice
GrantsGrow == ~g.low
LastAbove  == rec.st # "-" => g.max <= Max(rec.l, g.clock)       \* I3, in Redis
Order      == ~g.order                           \* I4, over expiry and crash too
\* An attempt has one thing at most: a lease, a reservation, a place
OnePlace   == /\ \A j, k \in 1..Len(queue) : j # k => queue[j] # queue[k]
              /\ Live => ~In(queue, rec.o)
PassedOn   == g.expired \/ Live \/ queue = <<>> \/ rec.st = "k"  \* I4: a release leaves no place waiting
Bounded    == /\ rec.st # "-" => now < rec.x     \* I6
              /\ Live => \E len \in Lens \cup {Claim, Keep} : End(rec) <= now + len
\* I7: what Redis has is of an attempt that goes on, or of one whose end it may yet
\* be told; but for what comes so late that a lease has run out meanwhile
Owed(a)    == Alive(c, a) \/ ~c[a[1]].up \/ \E m \in net : m.k = "rel" /\ m.a = a
NoOrphan   == g.expired \/
              /\ Live /\ rec.st # "k" => Owed(rec.o)
              /\ \A k \in 1..Len(queue) : Owed(queue[k])
\* I7: what was undone stays undone, where nothing comes late
NoGhost    == \A a \in g.over : ~(Live /\ rec.st # "k" /\ rec.o = a) /\ ~In(queue, a)
TrueGone   == ~g.gone    \* no holder is told a false loss, and nobody an end of what never was
NoStale    == ~g.stale    \* who begins after a record was lost was confirmed before it
NoRevival  == ~g.revived                         \* I9: an end is final
KeptHolds  == ~g.early                           \* nobody has it within a minimum hold
KeptEnds   == Live /\ rec.st = "k" => End(rec) <= g.kept         \* and that is not drawn out
\* A fixed lease is as long as was asked for, neither renewed nor less
FixedWhole == \A i \in Inst : Believes(i) /\ c[i].len \in Fixed =>
                 c[i].dl = Until(c[i].from, c[i].len)
=============================================================================
