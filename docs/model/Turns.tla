-------------------------------- MODULE Turns --------------------------------
(* Who is served when: polls, reservations, budgets, wake-ups, in time that  *)
(* runs in ticks left to go, so that behaviours go on for ever. A command    *)
(* is one step (Lease.tla has the network); every message may be lost,       *)
(* MaxFail commands fail, MaxCrash instances die. Callers come without end,  *)
(* hold as long as they like but not for ever, and may give up.              *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS N,         \* instances are 1..N
          L, Renewal,
          H,         \* how old the confirmation of a grant that is handed on may be
          Budget,    \* hand-offs within an instance once others are known to wait
          Poll,      \* poll interval of each instance
          Jitter,    \* how much earlier a poll may come
          Deaf,      \* instances without a subscription
          MaxW, MaxFail, MaxCrash, MessagesLost,
          Broken     \* rules that are left out
TwoEven == <<2, 2>>  \* values for Poll
Uneven == <<2, 4, 1>>
Is(x) == x \in Broken
I == 1..N
Max(a, b) == IF a > b THEN a ELSE b
Min(a, b) == IF a < b THEN a ELSE b
Less(x) == IF x = 0 THEN 0 ELSE x - 1
Claim(i) == IF Is("claim-of-one-poll") THEN Poll[i] ELSE (3 * Poll[i] + 1) \div 2
DeadAge(i) == 3 * Poll[i]
UnheardAge(i) == IF Is("unheard-dropped-at-once") THEN 0 ELSE 2 * Poll[i]
VARIABLES owner, res, plus, ttl, queue, qttl,         \* Redis
          ph, w, pt, age, cont, passed,               \* instances
          fails, g                                         \* what is looked at only
redis == <<owner, res, plus, ttl, queue, qttl>>
inst  == <<ph, w, pt, age, cont, passed>>
vars == <<redis, inst, fails, g>>
\* plus: others wait or did, in the lease; queue: places, each with its instance and
\* how long ago that was seen. ph: idle, ask, own, dead; w: callers who wait; pt: until
\* the next poll; age: since Redis confirmed the grant; cont: others are known to wait;
\* passed: hand-offs since.
Zero == [i \in I |-> 0]
Init == /\ owner = 0 /\ res = FALSE /\ plus = FALSE /\ ttl = 0 /\ queue = <<>> /\ qttl = 0
        /\ ph = [i \in I |-> "idle"] /\ w = Zero /\ pt = Zero /\ age = Zero
        /\ cont = [i \in I |-> FALSE] /\ passed = Zero
        /\ fails = 0
        /\ g = [crashes |-> 0, lostPlace |-> FALSE, lostTurn |-> FALSE,
                waits |-> Zero,      \* ticks since a place was taken, up to H + 1
                late |-> Zero,       \* served elsewhere since
                open |-> Zero,       \* ticks for which the key was there to take
                stays |-> [i \in I |-> FALSE]]  \* released while callers waited here
InQ(i) == \E k \in 1..Len(queue) : queue[k].i = i
Place(i) == [i |-> i, seen |-> 0]
Del(q, i) == SelectSeq(q, LAMBDA x : x.i # i)
Living(j) == ph[j] = "ask"
\* Ghosts when i gets the key: others who wait were passed once more
Counted(late, waits, i) == [j \in I |-> IF j # i /\ waits[j] > H
                            THEN Min(late[j] + 1, Budget + 2) ELSE late[j]]
Heard == {TRUE} \cup {~MessagesLost}
-----------------------------------------------------------------------------
Tick ==
  /\ \A i \in I : /\ Living(i) => pt[i] > 0
                  /\ ph[i] = "own" => age[i] < Renewal
  /\ LET endless == res /\ Is("reservation-without-ttl")
         over == owner # 0 /\ ~endless /\ ttl = 1
         qover == queue # <<>> /\ qttl = 1
         waits == [i \in I |-> IF InQ(i) /\ Living(i) THEN Min(g.waits[i] + 1, H + 1)
                               ELSE g.waits[i]] IN
     /\ ttl' = IF endless THEN 0 ELSE Less(ttl)
     /\ owner' = IF over THEN 0 ELSE owner
     /\ res' = (res /\ ~over) /\ plus' = (plus /\ ~over)
     /\ qttl' = IF qover THEN 0 ELSE Less(qttl)
     /\ queue' = IF qover THEN <<>>
                 ELSE [k \in 1..Len(queue) |-> [queue[k] EXCEPT
                        !.seen = Min(@ + 1, DeadAge(queue[k].i))]]
     /\ g' = [g EXCEPT !.waits = waits,
          !.lostPlace = @ \/ (qover /\ \E k \in 1..Len(queue) : Living(queue[k].i)),
          !.lostTurn = @ \/ (over /\ res /\ Living(owner) /\ fails = 0),
          !.open = [i \in I |-> IF Living(i) /\ (owner = 0 \/ (res /\ owner = i))
                                THEN Min(@[i] + 1, 99) ELSE 0]]
  /\ pt' = IF Is("no-poll") THEN pt ELSE [i \in I |-> Less(pt[i])]
  /\ age' = [i \in I |-> IF ph[i] = "own" THEN age[i] + 1 ELSE 0]
  /\ UNCHANGED <<ph, w, cont, passed, fails>>
Arrive(i) ==
  /\ ph[i] # "dead" /\ w[i] < MaxW
  /\ w' = [w EXCEPT ![i] = @ + 1]
  /\ ph' = [ph EXCEPT ![i] = IF @ = "idle" THEN "ask" ELSE @]
  /\ pt' = [pt EXCEPT ![i] = IF ph[i] = "idle" THEN 1 ELSE @]
  /\ UNCHANGED <<redis, age, cont, passed, fails, g>>
\* Attempt.failed
Fail(i) == /\ fails < MaxFail /\ fails' = fails + 1
           /\ pt' = [pt EXCEPT ![i] = Poll[i]]
           /\ UNCHANGED <<redis, ph, w, age, cont, passed, g>>
\* acquire.lua, and what the attempt does when it is answered
Acquire(i) ==
  \/ /\ owner = 0 \/ (res /\ owner = i)
     /\ owner' = i /\ res' = FALSE /\ ttl' = L /\ queue' = Del(queue, i)
     /\ plus' = (queue' # <<>>)
     /\ ph' = [ph EXCEPT ![i] = "own"] /\ w' = [w EXCEPT ![i] = @ - 1]
     /\ age' = [age EXCEPT ![i] = 0] /\ passed' = [passed EXCEPT ![i] = 0]
     /\ cont' = [cont EXCEPT ![i] = /\ queue' # <<>>
                                    /\ ~Is("contended-by-message-only")
                                    /\ ~Is("acquire-does-not-tell")]
     /\ pt' = [pt EXCEPT ![i] = 0]
     /\ g' = [g EXCEPT !.waits[i] = 0, !.open = Zero, !.stays[i] = FALSE,
                !.late = [Counted(@, g.waits, i) EXCEPT ![i] = 0]]
     /\ UNCHANGED qttl
  \/ /\ owner # 0 /\ ~(res /\ owner = i)
     /\ queue' = IF InQ(i) THEN [k \in 1..Len(queue) |->
                                   IF queue[k].i = i THEN Place(i) ELSE queue[k]]
                 ELSE Append(queue, Place(i))
     /\ qttl' = IF Is("queue-ttl-shortened") THEN DeadAge(i)
                ELSE Max(IF queue = <<>> THEN 0 ELSE qttl, DeadAge(i))
     /\ LET new == ~InQ(i) /\ ~res /\ ~plus IN
        /\ plus' = (plus \/ (new /\ ~Is("contended-by-message-only")))
        /\ \E heard \in Heard :
             cont' = [cont EXCEPT ![owner] =
                        @ \/ (new /\ heard /\ ph[owner] = "own" /\ owner \notin Deaf)]
     /\ pt' = [pt EXCEPT ![i] = IF Is("poll-after-claim") THEN Claim(i)
                                ELSE Min(Poll[i], IF ttl = 0 THEN Poll[i] ELSE ttl)]
     /\ UNCHANGED <<owner, res, ttl, ph, w, age, passed, g>>
Ask(i) == /\ Living(i) /\ pt[i] <= Jitter
          /\ (Acquire(i) /\ UNCHANGED fails) \/ Fail(i)
\* The watchdog's, or that of a closed hold
Renew(i) == /\ ph[i] = "own" /\ age[i] > 0 /\ owner = i /\ ~res
            /\ ttl' = L /\ age' = [age EXCEPT ![i] = 0]
            /\ cont' = [cont EXCEPT ![i] = @ \/ plus]
            /\ UNCHANGED <<owner, res, plus, queue, qttl, ph, w, pt, passed, fails, g>>
\* pass_on of queue.lua: the first place that is alive, whose instance is told; the one
\* just requeued needs no message
Pass(q, i, requeued, g0) ==
  LET Hears(j) == ph[j] # "dead" /\ j \notin Deaf
      Taken(k) == /\ q[k].seen < DeadAge(q[k].i)
                  /\ \/ (requeued /\ q[k].i = i) \/ Hears(q[k].i)
                     \/ q[k].seen < UnheardAge(q[k].i)
      K == {k \in 1..Len(q) : Taken(k)}
      first == IF K = {} THEN Len(q) + 1 ELSE CHOOSE k \in K : \A m \in K : k <= m
      next == IF K = {} THEN 0 ELSE q[first].i IN
  /\ owner' = next /\ res' = (next # 0) /\ plus' = FALSE
  /\ ttl' = IF next = 0 THEN 0 ELSE Claim(next)
  /\ queue' = IF next = 0 THEN <<>> ELSE SubSeq(q, first + 1, Len(q))
  /\ \E heard \in Heard :
       pt' = [j \in I |-> IF j = i THEN (IF requeued /\ next # i THEN Poll[i] ELSE 1)
                          ELSE IF j = next /\ heard /\ Hears(j) THEN 0 ELSE pt[j]]
  /\ g' = [g0 EXCEPT !.open = Zero, !.lostPlace = @ \/ \E k \in 1..(first - 1) : Living(q[k].i)]
\* Succession
MayStay(i) == \/ ~cont[i] \/ passed[i] < Budget \/ Is("handoff-after-asked-back")
HandOff(i) ==
  /\ ph[i] = "own" /\ w[i] > 0 /\ age[i] <= H /\ MayStay(i)
  /\ w' = [w EXCEPT ![i] = @ - 1]
  /\ passed' = [passed EXCEPT ![i] = IF cont[i] /\ @ < Budget THEN @ + 1 ELSE @]
  /\ g' = [g EXCEPT !.late = Counted(@, g.waits, i)]
  /\ UNCHANGED <<redis, ph, pt, age, cont, fails>>
\* Back to Redis: those who wait here take the last place with it, where others wait
GiveBack(i) ==
  LET more == w[i] > 0 /\ cont[i]
      requeued == more /\ ~Is("no-requeue") IN
  /\ Pass(IF requeued THEN Append(queue, Place(i)) ELSE queue, i, requeued,
          [g EXCEPT !.stays[i] = more])
  /\ qttl' = IF requeued THEN Max(IF queue = <<>> THEN 0 ELSE qttl, DeadAge(i)) ELSE qttl
  /\ ph' = [ph EXCEPT ![i] = IF w[i] > 0 THEN "ask" ELSE "idle"]
  /\ age' = [age EXCEPT ![i] = 0] /\ passed' = [passed EXCEPT ![i] = 0]
  /\ cont' = [cont EXCEPT ![i] = FALSE]
  /\ UNCHANGED w
\* A budget ends with its time, too
Release(i) == /\ ph[i] = "own"
              /\ w[i] = 0 \/ (cont[i] /\ ~Is("handoff-after-asked-back"))
              /\ GiveBack(i) /\ UNCHANGED fails
Close(i) == HandOff(i) \/ Release(i)
\* Redis did not confirm the grant of a closed hold: no caller can rely on it
NotConfirmed(i) == /\ ph[i] = "own" /\ w[i] > 0 /\ age[i] > H
                   /\ fails < MaxFail /\ fails' = fails + 1
                   /\ GiveBack(i)
\* The last one to give up ends the attempt
GiveUp(i) ==
  LET g0 == [g EXCEPT !.waits[i] = 0, !.late[i] = 0, !.open[i] = 0, !.stays[i] = FALSE] IN
  /\ w[i] > 0 /\ ph[i] # "dead" /\ w' = [w EXCEPT ![i] = @ - 1]
  /\ IF Living(i) /\ w[i] = 1
     THEN /\ ph' = [ph EXCEPT ![i] = "idle"]
          /\ IF res /\ owner = i
             THEN Pass(queue, i, FALSE, g0) /\ UNCHANGED qttl
             ELSE /\ queue' = Del(queue, i) /\ pt' = [pt EXCEPT ![i] = 0] /\ g' = g0
                  /\ UNCHANGED <<owner, res, plus, ttl, qttl>>
          /\ UNCHANGED <<age, cont, passed, fails>>
     ELSE UNCHANGED <<redis, ph, pt, age, cont, passed, fails, g>>
Crash(i) ==
  /\ g.crashes < MaxCrash /\ ph[i] # "dead"
  /\ ph' = [ph EXCEPT ![i] = "dead"] /\ w' = [w EXCEPT ![i] = 0]
  /\ pt' = [pt EXCEPT ![i] = 0] /\ age' = [age EXCEPT ![i] = 0]
  /\ cont' = [cont EXCEPT ![i] = FALSE] /\ passed' = [passed EXCEPT ![i] = 0]
  /\ g' = [g EXCEPT !.crashes = @ + 1, !.waits[i] = 0, !.late[i] = 0, !.open[i] = 0,
             !.stays[i] = FALSE]
  /\ UNCHANGED <<redis, fails>>
-----------------------------------------------------------------------------
Next == Tick \/ \E i \in I : Arrive(i) \/ Ask(i) \/ Renew(i) \/ Close(i)
                             \/ NotConfirmed(i) \/ GiveUp(i) \/ Crash(i)
Fair == SF_vars(Tick) /\ \A i \in I : WF_vars(Ask(i)) /\ WF_vars(Renew(i))
                                      /\ SF_vars(Close(i))
Spec == Init /\ [][Next]_vars /\ Fair
-----------------------------------------------------------------------------
One         == \A i \in I : ph[i] = "own" => owner = i /\ ~res          \* I1
\* I4: who waits and polls is neither dropped, nor skipped for a lost message
KeepsPlace  == ~g.lostPlace
KeepsTurn   == ~g.lostTurn
\* I4: who is put behind others keeps standing in line, if no command failed
StaysInLine == \A i \in I : Living(i) /\ g.stays[i] /\ fails = 0 => InQ(i) \/ owner = i
\* I4, of two instances without faults: passed by one grant and its budget at most
FewPass     == \A i \in I : g.late[i] <= Budget + 1
\* That others wait is in the lease, so each renewal and acquire tells
Told        == owner # 0 /\ ~res /\ (\E j \in I : j # owner /\ InQ(j)) => plus
\* I5: a key that is there to take is noticed within a poll, or one more per failure
Noticed     == \A i \in I : g.open[i] <= Poll[i] * (1 + fails)
\* I6
Bounded     == /\ owner # 0 => ttl > 0
               /\ queue # <<>> => qttl > 0
Vanishes    == (\A i \in I : ph[i] = "dead") ~> (owner = 0 /\ queue = <<>>)
\* I4: nobody starves
AllServed   == \A i \in I : Living(i) ~> ~Living(i)
=============================================================================
