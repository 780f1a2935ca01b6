-------------------------------- MODULE Turns --------------------------------
(* Who is served when: polls, reservations, budgets, wake-ups, minimum holds,*)
(* idle grants, tries without waiting, in time that runs in ticks left to    *)
(* go, so that behaviours go on for ever. A command is one step (Record.tla  *)
(* has the network); every message may be lost, MaxFail commands fail,       *)
(* MaxCrash instances die. Callers come without end, hold as long as they    *)
(* like but not for ever, and may give up.                                   *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS N,         \* instances are 1..N
          L, Renewal,
          Ret,       \* retention: how long the record outlives a lease
          Keep,      \* what is left of a minimum hold; 0: there is none
          H,         \* how old the confirmation of a grant that is handed on may be
          Budget,    \* hand-offs within an instance once others are known to wait
          Poll,      \* poll interval of each instance
          Jitter,    \* how much earlier a poll may come
          Deaf,      \* instances without a subscription
          Lingers,   \* instances that may keep a grant idle
          Tries,     \* instances whose callers do not wait
          TryTime,   \* how long such a one keeps a place
          MaxW, MaxFail, MaxCrash, MessagesLost,
          Broken     \* rules that are left out
TwoEven == <<2, 2>>  \* values for Poll
ThreeEven == <<2, 2, 2>>
Uneven == <<2, 4, 1>>
Is(x) == x \in Broken
I == 1..N
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Less(x) == IF x = 0 THEN 0 ELSE x - 1
Claim(i) == IF Is("claim-of-one-poll") THEN Poll[i] ELSE (3 * Poll[i] + 1) \div 2
DeadAge(i) == 3 * Poll[i]
UnheardAge(i) == IF Is("unheard-dropped-at-once") THEN 0 ELSE 2 * Poll[i]
Retention == IF Is("retention-below-poll") THEN 1 ELSE Ret
VARIABLES st, owner, plus, rest, back, queue,         \* Redis
          ph, w, pt, age, cont, passed,               \* instances
          fails, g                                    \* what is looked at only
redis == <<st, owner, plus, rest, back, queue>>
inst  == <<ph, w, pt, age, cont, passed>>
vars == <<redis, inst, fails, g>>
\* st: o, l, r, k, or "-": no record; plus: others wait or did; rest: of the lease, PTTL -
\* retention; back: what is left of the retention then; queue: places, each with its
\* instance and how long ago that was seen. ph: idle, ask, own, linger (the grant is kept
\* idle), try (has asked, and has a place for a moment), dead; w: callers who wait; pt: until
\* the next poll; age: since Redis confirmed the grant; cont: others are known to wait;
\* passed: hand-offs since.
Zero == [i \in I |-> 0]
Nobody == [i \in I |-> FALSE]
Init == /\ st = "-" /\ owner = 0 /\ plus = FALSE /\ rest = 0 /\ back = 0 /\ queue = <<>>
        /\ ph = [i \in I |-> "idle"] /\ w = Zero /\ pt = Zero /\ age = Zero
        /\ cont = Nobody /\ passed = Zero
        /\ fails = 0
        /\ g = [crashes |-> 0, lostPlace |-> FALSE, lostTurn |-> FALSE, order |-> FALSE,
                early |-> FALSE, dead |-> FALSE, refused |-> FALSE,
                line |-> <<>>,       \* who took a place, in this order
                waits |-> Zero,      \* ticks since a place was taken, up to H + 1
                late |-> Zero,       \* served elsewhere since
                open |-> Zero,       \* ticks for which the key was there to take
                idle |-> Zero,       \* ticks waited behind a grant that was kept idle
                stays |-> Nobody,    \* released while callers waited here
                seen |-> Nobody]     \* tries that met an idle grant whose owner was told
Live == rest > 0
Given == st \in {"o", "l"}
Mine(i) == Live /\ st = "r" /\ owner = i
IdleKey == Live /\ Given /\ ph[owner] = "linger"
InQ(q, i) == \E k \in 1..Len(q) : q[k].i = i
Place(i) == [i |-> i, seen |-> 0]
Del(q, i) == SelectSeq(q, LAMBDA x : x.i # i)
Placed(q, i) == IF InQ(q, i) THEN [k \in 1..Len(q) |-> IF q[k].i = i THEN Place(i) ELSE q[k]]
                ELSE Append(q, Place(i))
Off(s, i) == SelectSeq(s, LAMBDA x : x # i)
On(s, i) == IF \E k \in 1..Len(s) : s[k] = i THEN s ELSE Append(s, i)
\* Who enters drops the places that are dead
Fresh(q) == IF Is("dead-place-served") THEN q ELSE SelectSeq(q, LAMBDA x : x.seen < DeadAge(x.i))
Living(j) == ph[j] = "ask"
Waits(j) == ph[j] \in {"ask", "try"}
Hears(j) == ph[j] # "dead" /\ j \notin Deaf
\* Ghosts when i gets the key: others who wait were passed once more
Counted(late, waits, i) == [j \in I |-> IF j # i /\ waits[j] > H
                            THEN Min(late[j] + 1, Budget + 2) ELSE late[j]]
Heard == {TRUE} \cup {~MessagesLost}
-----------------------------------------------------------------------------
Tick ==
  /\ \A i \in I : /\ Waits(i) => pt[i] > 0
                  /\ ph[i] = "own" => age[i] < Renewal
                  \* an idle grant is renewed each poll, and given back once others wait
                  /\ ph[i] = "linger" => age[i] < Min(Renewal, Poll[i]) /\ w[i] = 0
                                         /\ (~cont[i] \/ Is("idle-not-given-back"))
  /\ LET endless == st = "r" /\ Is("reservation-without-ttl")
         gone == st # "-" /\ ~Live /\ back <= 1
         over == rest = 1 /\ ~endless IN
     /\ rest' = IF endless THEN rest ELSE Less(rest)
     /\ back' = IF gone THEN 0 ELSE IF Live THEN back ELSE Less(back)
     /\ st' = IF gone THEN "-" ELSE st
     /\ owner' = IF gone THEN 0 ELSE owner
     /\ plus' = (plus /\ ~gone)
     /\ queue' = IF gone THEN <<>>
                 ELSE [k \in 1..Len(queue) |-> [queue[k] EXCEPT
                        !.seen = Min(@ + 1, DeadAge(queue[k].i))]]
     /\ g' = [g EXCEPT
          !.waits = [i \in I |-> IF InQ(queue, i) /\ Living(i) THEN Min(@[i] + 1, H + 1) ELSE @[i]],
          !.lostPlace = @ \/ (gone /\ \E k \in 1..Len(queue) : Living(queue[k].i)),
          !.lostTurn = @ \/ (over /\ st = "r" /\ Living(owner) /\ fails = 0),
          !.open = [i \in I |-> IF Living(i) /\ (~Live \/ Mine(i)) THEN Min(@[i] + 1, 99) ELSE 0],
          !.idle = [i \in I |-> IF Waits(i) /\ IdleKey THEN Min(@[i] + 1, 99) ELSE 0]]
  /\ pt' = [i \in I |-> IF Is("no-poll") /\ ph[i] # "try" THEN pt[i] ELSE Less(pt[i])]
  /\ age' = [i \in I |-> IF ph[i] \in {"own", "linger"} THEN age[i] + 1 ELSE 0]
  /\ UNCHANGED <<ph, w, cont, passed, fails>>
Arrive(i) ==
  /\ ph[i] # "dead" /\ ph[i] # "try" /\ w[i] < MaxW
  /\ ph[i] = "linger" => ~cont[i]
  /\ w' = [w EXCEPT ![i] = @ + 1]
  /\ ph' = [ph EXCEPT ![i] = IF @ # "idle" THEN @ ELSE IF i \in Tries THEN "try" ELSE "ask"]
  /\ pt' = [pt EXCEPT ![i] = IF ph[i] = "idle" THEN 0 ELSE @]
  /\ UNCHANGED <<redis, age, cont, passed, fails, g>>
\* Attempt.failed
Fail(i) == /\ fails < MaxFail /\ fails' = fails + 1 /\ ph[i] = "ask"
           /\ pt' = [pt EXCEPT ![i] = Poll[i]]
           /\ UNCHANGED <<redis, ph, w, age, cont, passed, g>>
-----------------------------------------------------------------------------
(* Messages                                                                  *)
\* The owner hears that others wait
Contended(told) == cont' = IF owner = 0 THEN cont ELSE [cont EXCEPT ![owner] =
                             @ \/ (told /\ ph[owner] \in {"own", "linger"} /\ Hears(owner))]
\* The instance with place f of q hears that the key is reserved for it; the one that passes
\* it on needs no message
Granted(q, f, self, p) == \E heard \in Heard :
  pt' = IF f = 0 THEN p
        ELSE [p EXCEPT ![q[f].i] = IF heard /\ Hears(q[f].i) /\ q[f].i # self THEN 0 ELSE @]
\* A try hears that the grant is not idle: it waits no longer
InUse(i) == /\ ph[i] = "try" /\ pt[i] > 0 /\ InQ(queue, i) /\ owner # 0 /\ owner # i
            /\ ph[owner] = "own" \/ (ph[owner] = "linger" /\ Is("in-use-though-idle"))
            /\ cont[owner]
            /\ pt' = [pt EXCEPT ![i] = 0]
            /\ UNCHANGED <<redis, ph, w, age, cont, passed, fails, g>>
-----------------------------------------------------------------------------
(* The scripts, and what the instance does when it is answered               *)
Take(i, q) ==
  /\ st' = (IF i \in Lingers /\ ~Is("idle-not-marked") THEN "l" ELSE "o")
  /\ owner' = i /\ rest' = L /\ back' = Retention /\ queue' = Del(q, i)
  /\ plus' = (queue' # <<>>)
  /\ ph' = [ph EXCEPT ![i] = "own"] /\ w' = [w EXCEPT ![i] = @ - 1]
  /\ age' = [age EXCEPT ![i] = 0] /\ passed' = [passed EXCEPT ![i] = 0]
  /\ cont' = [cont EXCEPT ![i] = /\ queue' # <<>>
                                 /\ ~Is("contended-by-message-only")
                                 /\ ~Is("acquire-does-not-tell")]
  /\ pt' = [pt EXCEPT ![i] = 0]
  /\ g' = [g EXCEPT !.waits[i] = 0, !.open = Zero, !.idle = Zero, !.stays[i] = FALSE,
             !.seen = Nobody, !.line = Off(@, i),
             !.early = @ \/ (Live /\ st = "k"),
             !.order = @ \/ (/\ fails = 0
                             /\ \E k \in 1..Len(g.line) :
                                  /\ Waits(g.line[k])
                                  /\ \A m \in 1..k : g.line[m] # i),
             !.late = [Counted(@, g.waits, i) EXCEPT ![i] = 0]]
\* The first place that is alive gets the record reserved, and is told
First(q, self) ==
  LET Taken(k) == /\ q[k].seen < DeadAge(q[k].i) \/ Is("dead-place-served")
                  /\ \/ q[k].i = self \/ Hears(q[k].i) \/ q[k].seen < UnheardAge(q[k].i)
                     \/ Is("dead-place-served")
      K == {k \in 1..Len(q) : Taken(k)} IN
  IF K = {} THEN 0 ELSE CHOOSE k \in K : \A m \in K : k <= m
Reserve(q, f) ==
  /\ plus' = FALSE
  /\ IF f = 0
     THEN /\ st' = "o" /\ owner' = 0 /\ rest' = 0 /\ queue' = <<>>
          /\ back' = (Retention + 1) \div 2
     ELSE /\ st' = "r" /\ owner' = q[f].i /\ rest' = Claim(q[f].i) /\ back' = Retention
          /\ queue' = SubSeq(q, f + 1, Len(q))
Dropped(q, f, i) == \E k \in 1..(IF f = 0 THEN Len(q) ELSE f - 1) : q[k].i # i /\ Living(q[k].i)
Dead(q, f) == f # 0 /\ q[f].seen >= DeadAge(q[f].i)
Pass(q, self, p, g0) ==
  LET f == First(q, self) IN
  /\ Reserve(q, f) /\ Granted(q, f, self, p)
  /\ g' = [g0 EXCEPT !.open = Zero, !.lostPlace = @ \/ Dropped(q, f, self), !.dead = @ \/ Dead(q, f)]
Acquire(i) ==
  LET q == Fresh(queue)
      f == First(q, i)
      head == IF f = 0 THEN TRUE ELSE q[f].i = i \/ Is("expiry-to-asker")
      taken == (~Live /\ head) \/ Mine(i) \/ (Is("kept-taken") /\ st = "k")
      lost == \E k \in 1..Len(queue) : queue[k].seen >= DeadAge(queue[k].i) /\ queue[k].i # i
                                       /\ Living(queue[k].i)
      g1 == [g EXCEPT !.line = On(@, i), !.lostPlace = @ \/ lost]
      idle == Live /\ st = "l" /\ q = <<>> IN
  \/ taken /\ Take(i, q)
  \* A lease, reservation or minimum hold is over, and others wait: the key is passed on
  \/ /\ ~taken /\ ~Live /\ ph[i] = "ask"
     /\ LET wait == IF Is("poll-after-claim") THEN Claim(i) ELSE Min(Poll[i], Claim(q[f].i)) IN
        Pass(IF Is("passer-gets-no-place") THEN q ELSE Placed(q, i), i, [pt EXCEPT ![i] = wait],
             [g1 EXCEPT !.line = IF Is("passer-gets-no-place") THEN Off(@, i) ELSE @])
     /\ UNCHANGED <<ph, w, age, cont, passed>>
  \/ /\ ~taken /\ Live /\ ph[i] = "ask"
     /\ queue' = Placed(q, i) /\ g' = g1
     /\ LET new == ~InQ(queue, i) /\ Given IN
        /\ plus' = (plus \/ (new /\ ~Is("contended-by-message-only")))
        /\ \E heard \in Heard : Contended(new /\ ~plus /\ heard)
     /\ pt' = [pt EXCEPT ![i] = IF Is("poll-after-claim") THEN Claim(i) ELSE Min(Poll[i], rest)]
     /\ UNCHANGED <<st, owner, rest, back, ph, w, age, passed>>
  \* A try meets a grant that may be idle: its owner is told in any case, and gives it back
  \/ /\ ~taken /\ ph[i] = "try" /\ idle
     /\ queue' = Placed(q, i) /\ plus' = TRUE /\ pt' = [pt EXCEPT ![i] = TryTime]
     /\ \E heard \in Heard :
          /\ Contended(heard /\ (~plus \/ ~Is("try-tells-if-first")))
          /\ g' = [g1 EXCEPT !.seen[i] = IdleKey /\ heard /\ Hears(owner)]
     /\ UNCHANGED <<st, owner, rest, back, ph, w, age, passed>>
  \* Any other is refused, and leaves
  \/ /\ ~taken /\ ph[i] = "try" /\ ~idle
     /\ LET g2 == [g EXCEPT !.seen[i] = FALSE, !.line = Off(@, i),
                     !.refused = @ \/ (IdleKey /\ (g.seen[i] \/ ~InQ(queue, i))
                                               /\ Hears(owner) /\ Del(q, i) = <<>>)] IN
        IF ~Live THEN Pass(Del(q, i), 0, [pt EXCEPT ![i] = 0], g2)
        ELSE /\ queue' = Del(q, i) /\ pt' = [pt EXCEPT ![i] = 0] /\ g' = g2
             /\ UNCHANGED <<st, owner, plus, rest, back>>
     /\ ph' = [ph EXCEPT ![i] = "idle"] /\ w' = [w EXCEPT ![i] = 0]
     /\ UNCHANGED <<age, cont, passed>>
Ask(i) == /\ Waits(i) /\ pt[i] <= (IF ph[i] = "ask" THEN Jitter ELSE 0)
          /\ (Acquire(i) /\ UNCHANGED fails) \/ Fail(i)
\* The watchdog's, or that of a closed hold
Renew(i) == /\ ph[i] \in {"own", "linger"} /\ age[i] > 0 /\ owner = i /\ Given /\ Live
            /\ rest' = L /\ back' = Retention /\ age' = [age EXCEPT ![i] = 0]
            /\ cont' = [cont EXCEPT ![i] = @ \/ (plus /\ ~Is("renew-does-not-tell"))]
            /\ UNCHANGED <<st, owner, plus, queue, ph, w, pt, passed, fails, g>>
\* HandOff
MayStay(i) == ~cont[i] \/ passed[i] < Budget \/ Is("handoff-after-asked-back")
HandOff(i) ==
  /\ ph[i] \in {"own", "linger"} /\ w[i] > 0 /\ age[i] <= H /\ MayStay(i)
  /\ w' = [w EXCEPT ![i] = @ - 1] /\ ph' = [ph EXCEPT ![i] = "own"]
  /\ passed' = [passed EXCEPT ![i] = IF cont[i] /\ @ < Budget THEN @ + 1 ELSE @]
  /\ g' = [g EXCEPT !.late = Counted(@, g.waits, i), !.idle = Zero, !.seen = Nobody]
  /\ UNCHANGED <<redis, pt, age, cont, fails>>
\* release.lua; those who wait here take the last place with it, where others wait
GiveBack(i) ==
  LET more == w[i] > 0
      requeued == more /\ cont[i] /\ ~Is("no-requeue")
      q == IF requeued THEN Append(queue, Place(i)) ELSE queue
      self == IF requeued THEN i ELSE 0
      next == IF requeued THEN Poll[i] ELSE 0
      g0 == [g EXCEPT !.stays[i] = more /\ cont[i], !.open = Zero, !.idle = Zero,
               !.line = IF requeued THEN On(@, i) ELSE @] IN
  /\ \/ LET f == First(q, self)
            p == IF f # 0 /\ q[f].i = i THEN 0 ELSE next IN
        Pass(q, self, [pt EXCEPT ![i] = p], g0)
     \/ /\ Keep > 0 /\ ph[i] = "own"
        /\ st' = "k" /\ owner' = 0 /\ rest' = Keep /\ back' = Retention /\ plus' = FALSE
        \* who waits here asks anew
        /\ UNCHANGED queue /\ pt' = [pt EXCEPT ![i] = 0]
        /\ g' = [g EXCEPT !.stays[i] = FALSE, !.open = Zero, !.idle = Zero]
  /\ ph' = [ph EXCEPT ![i] = IF more THEN "ask" ELSE "idle"]
  /\ age' = [age EXCEPT ![i] = 0] /\ passed' = [passed EXCEPT ![i] = 0]
  /\ cont' = [cont EXCEPT ![i] = FALSE]
  /\ UNCHANGED w
\* A budget ends with its time, too
Release(i) == /\ \/ ph[i] = "own" /\ (w[i] = 0 \/ (cont[i] /\ ~Is("handoff-after-asked-back")))
                 \/ ph[i] = "linger" /\ (w[i] = 0 \/ cont[i]) /\ ~Is("idle-not-given-back")
              /\ owner = i /\ Given /\ Live
              /\ GiveBack(i) /\ UNCHANGED fails
GoIdle(i) == /\ i \in Lingers /\ ph[i] = "own" /\ w[i] = 0
             /\ ~cont[i] \/ Is("idle-though-asked-back")
             /\ ph' = [ph EXCEPT ![i] = "linger"]
             /\ cont' = [cont EXCEPT ![i] = FALSE]
             /\ UNCHANGED <<redis, w, pt, age, passed, fails, g>>
Close(i) == HandOff(i) \/ Release(i) \/ GoIdle(i)
\* Kept idle, and others wait
AskedBack(i) == ph[i] = "linger" /\ cont[i] /\ Release(i)
\* Redis did not confirm the grant of a closed hold: no caller can rely on it
NotConfirmed(i) == /\ ph[i] = "own" /\ w[i] > 0 /\ age[i] > H
                   /\ fails < MaxFail /\ fails' = fails + 1
                   /\ owner = i /\ Given /\ Live
                   /\ GiveBack(i)
\* The last one to give up ends the attempt
GiveUp(i) ==
  LET g0 == [g EXCEPT !.waits[i] = 0, !.late[i] = 0, !.open[i] = 0, !.stays[i] = FALSE,
               !.line = Off(@, i)] IN
  /\ w[i] > 0 /\ ph[i] \in {"ask", "own", "linger"} /\ w' = [w EXCEPT ![i] = @ - 1]
  /\ IF Living(i) /\ w[i] = 1
     THEN /\ ph' = [ph EXCEPT ![i] = "idle"]
          /\ IF Mine(i)
             THEN Pass(queue, 0, [pt EXCEPT ![i] = 0], g0)
             ELSE /\ queue' = Del(queue, i) /\ pt' = [pt EXCEPT ![i] = 0] /\ g' = g0
                  /\ UNCHANGED <<st, owner, plus, rest, back>>
          /\ UNCHANGED <<age, cont, passed, fails>>
     ELSE UNCHANGED <<redis, ph, pt, age, cont, passed, fails, g>>
Crash(i) ==
  /\ g.crashes < MaxCrash /\ ph[i] # "dead"
  /\ ph' = [ph EXCEPT ![i] = "dead"] /\ w' = [w EXCEPT ![i] = 0]
  /\ pt' = [pt EXCEPT ![i] = 0] /\ age' = [age EXCEPT ![i] = 0]
  /\ cont' = [cont EXCEPT ![i] = FALSE] /\ passed' = [passed EXCEPT ![i] = 0]
  /\ g' = [g EXCEPT !.crashes = @ + 1, !.waits[i] = 0, !.late[i] = 0, !.open[i] = 0,
             !.stays[i] = FALSE, !.seen = Nobody, !.line = Off(@, i)]
  /\ UNCHANGED <<redis, fails>>
-----------------------------------------------------------------------------
Next == Tick \/ \E i \in I : Arrive(i) \/ Ask(i) \/ Renew(i) \/ Close(i) \/ InUse(i)
                             \/ NotConfirmed(i) \/ GiveUp(i) \/ Crash(i)
Fair == SF_vars(Tick) /\ \A i \in I : /\ WF_vars(Ask(i)) /\ WF_vars(Renew(i)) /\ WF_vars(AskedBack(i))
                                      /\ SF_vars(Close(i) /\ ph[i] = "own")
                                      /\ SF_vars(HandOff(i))
Spec == Init /\ [][Next]_vars /\ Fair
-----------------------------------------------------------------------------
One         == \A i \in I : ph[i] \in {"own", "linger"} => owner = i /\ Given /\ Live   \* I1
\* I4: who waits and polls is neither dropped, nor skipped for a lost message
KeepsPlace  == ~g.lostPlace
KeepsTurn   == ~g.lostTurn
\* I4: first come, first served, over expiry, crash and minimum hold, if no command failed
KeepsOrder  == ~g.order
\* I4: who is put behind others keeps standing in line, if no command failed
StaysInLine == \A i \in I : Living(i) /\ g.stays[i] /\ fails = 0 => InQ(queue, i) \/ Mine(i)
\* I4, of two instances without faults: passed by one grant and its budget at most
FewPass     == \A i \in I : g.late[i] <= Budget + 1
\* That others wait is in the record, so each renewal and acquire tells
Told        == Live /\ Given /\ (\E j \in I : j # owner /\ InQ(queue, j)) => plus
\* I5: a key that is there to take is noticed within a poll, or one more per failure
Noticed     == \A i \in I : g.open[i] <= Poll[i] * (1 + fails)
AliveOnly   == ~g.dead           \* nothing is reserved for who was not seen for three polls
KeptHolds   == ~g.early          \* nobody has it within a minimum hold
\* An idle grant is given back within a poll; and refuses nobody whose owner runs and hears
IdleYields  == \A i \in I : Living(i) /\ fails = 0 => g.idle[i] <= Max(Poll[1], Poll[2]) + 1
NotRefused  == ~g.refused
\* I6
Bounded     == /\ st # "-" => rest + back > 0
               /\ back <= Ret /\ (rest <= L \/ \E i \in I : rest <= Claim(i))
Vanishes    == (\A i \in I : ph[i] = "dead") ~> (st = "-" /\ queue = <<>>)
\* I4: nobody starves
AllServed   == \A i \in I : Living(i) ~> ~Living(i)
=============================================================================
