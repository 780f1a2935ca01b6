-------------------------------- MODULE Kinds --------------------------------
(* Who has a key together: readers, permits, and writers who have it alone,  *)
(* in the one record. What Record.tla shows of one holder is not shown again *)
(* here (clocks that drift, hand-offs, what a lost or an older record does), *)
(* nor what Turns.tla shows of polls: a place is dead here when its instance *)
(* is. The network loses, delays, repeats and reorders: a message stays once *)
(* it was sent. Time is in ticks.                                            *)
EXTENDS Naturals, Sequences, FiniteSets
CONSTANTS N,         \* instances are 1..N
          Kind,      \* of each: w, r or p
          Number,    \* of permits, by which each goes
          Lease,     \* of each
          Old,       \* instances that know no kinds: they see the TTL and the queue
          Claim,     \* how long a reservation lasts
          Keep,      \* what is left of a minimum hold; 0: there is none
          Block,     \* tokens of one permit of several
          MaxTime, MaxAtt, MaxNet, MaxTok, MaxCrash, MaxForce,
          Broken     \* rules that are left out
RR  == <<"r", "r">>        \* values for Kind, Number, Lease
WR  == <<"w", "r">>
WRR == <<"w", "r", "r">>
WWR == <<"w", "w", "r">>
PPP == <<"p", "p", "p">>
One == <<1, 1, 1>>
Two == <<2, 2, 2>>
Uneven == <<1, 2, 2>>
Lengths == <<2, 1, 3>>
Is(x) == x \in Broken
I == 1..N
Max(x, y) == IF x > y THEN x ELSE y
None == <<0, 0>>
Unused == 0
VARIABLES now, hs, queue, last, ttl, over, net, c, g
vars == <<now, hs, queue, last, ttl, over, net, c, g>>
redis == <<hs, queue, last, ttl, over>>
\* hs: holders, each with its attempt, state o, r or k, end and token; ttl: when the record's
\* rest is over; over: whose record it is when nobody has it
K(a) == Kind[a[1]]
Here(S) == {h \in S : h.end > now}
MaxEnd(S) == IF S = {} THEN now ELSE (CHOOSE h \in S : \A k \in S : k.end <= h.end).end
In(q, a) == \E k \in 1..Len(q) : q[k] = a
Of(S, a) == {h \in S : h.o = a}
-----------------------------------------------------------------------------
Idle == [up |-> TRUE, ph |-> "idle", n |-> 0, s |-> 0, dl |-> 0, tok |-> 0, more |-> 0]
Attempt(i) == <<i, c[i].n>>
Believes(i) == c[i].up /\ c[i].ph = "own" /\ now < c[i].dl
Alive(cc, a) == cc[a[1]].up /\ cc[a[1]].ph # "idle" /\ cc[a[1]].n = a[2]
Has(a) == Of(hs', a) # {} \/ In(queue', a) \/ \E m \in net : m.k = "acq" /\ m.a = a
\* What can have no effect any more leaves the set
Clean(S) == {m \in S : CASE m.k = "acq" -> TRUE
                         [] m.k \in {"rel", "ren"} -> Has(m.a) \/ Is("undo-of-the-instance")
                         [] m.k = "ok" -> Alive(c', m.a) /\ c'[m.a[1]].ph = "ask"
                         [] m.k = "renOk" -> /\ Alive(c', m.a) /\ c'[m.a[1]].ph = "own"
                                             /\ m.s + Lease[m.a[1]] > c'[m.a[1]].dl
                         [] OTHER -> Alive(c', m.a)}
Send(S) == net' = Clean(net \cup S)
Client(i, r, S) == c' = [c EXCEPT ![i] = r] /\ UNCHANGED <<now, redis>> /\ Send(S)
Quiet == UNCHANGED g
Init == /\ now = 1 /\ hs = {} /\ queue = <<>> /\ last = 0 /\ ttl = 0 /\ over = None /\ net = {}
        /\ c = [i \in I |-> Idle]
        /\ g = [alone |-> 0, all |-> 0, used |-> {},     \* tokens used: of writers, of all
                kept |-> 0,                              \* no writer before
                tok |-> FALSE, twice |-> FALSE, cut |-> FALSE, passed |-> FALSE, many |-> FALSE,
                waste |-> FALSE, early |-> FALSE, revived |-> FALSE, crashes |-> 0, forces |-> 0]
Tick == /\ now <= MaxTime /\ now' = now + 1
        /\ UNCHANGED <<redis, c, g>> /\ Send({})
-----------------------------------------------------------------------------
(* The instance                                                              *)
Rel(a, used, kp) == [k |-> "rel", a |-> a, used |-> used, kp |-> kp]
Arrive(i) == /\ c[i].up /\ c[i].ph = "idle" /\ c[i].n < MaxAtt
             /\ Client(i, [Idle EXCEPT !.ph = "ask", !.n = c[i].n + 1], {}) /\ Quiet
SendAcquire(i) == /\ c[i].up /\ c[i].ph = "ask"
                  /\ Client(i, [c[i] EXCEPT !.s = now], {[k |-> "acq", a |-> Attempt(i), s |-> now]})
                  /\ Quiet
GiveUp(i) == /\ c[i].up /\ c[i].ph = "ask"
             /\ Client(i, [Idle EXCEPT !.n = c[i].n], {Rel(Attempt(i), Unused, 0)}) /\ Quiet
\* By one permit one at a time: its order counts, and blocks lie side by side
Tokens(i) == IF Kind[i] = "p" /\ (Number[i] > 1 \/ Is("block-by-one-permit")) THEN Block ELSE 1
\* Two holds exclude each other unless both read, or both have permits of more than one
Use(i, t) == g' = [g EXCEPT !.all = Max(@, t),
                     !.alone = IF Kind[i] = "w" THEN Max(@, t) ELSE @,
                     !.tok = @ \/ t <= (IF Kind[i] = "w" \/ (Kind[i] = "p" /\ Number[i] = 1)
                                        THEN g.all ELSE g.alone),
                     !.twice = @ \/ t \in g.used, !.used = @ \cup {t}]
RcvGranted(i) == \E m \in net :
   /\ m.k = "ok" /\ c[i].up /\ c[i].ph = "ask" /\ m.a = Attempt(i) /\ m.s = c[i].s
   /\ now < m.s + Lease[i]
   /\ Client(i, [c[i] EXCEPT !.ph = "own", !.s = 0, !.dl = m.s + Lease[i], !.tok = m.t], {})
   /\ Use(i, m.t)
\* The next caller of the instance has it
HandOn(i) == /\ Believes(i) /\ c[i].more + 1 < Tokens(i)
             /\ Client(i, [c[i] EXCEPT !.more = @ + 1], {})
             /\ Use(i, c[i].tok + c[i].more + 1)
RcvEnded(i) == /\ c[i].up /\ c[i].ph = "ask" /\ \E m \in net : m.k = "ended" /\ m.a = Attempt(i)
               /\ Client(i, [Idle EXCEPT !.n = c[i].n], {}) /\ Quiet
SendRenew(i) == /\ Believes(i) /\ now + Lease[i] > c[i].dl
                /\ Client(i, c[i], {[k |-> "ren", a |-> Attempt(i), s |-> now, t |-> c[i].tok]}) /\ Quiet
RcvRenewed(i) == \E m \in net : /\ m.k = "renOk" /\ m.a = Attempt(i) /\ Believes(i)
                                /\ Client(i, [c[i] EXCEPT !.dl = Max(@, m.s + Lease[i])], {}) /\ Quiet
Close(i) == /\ c[i].up /\ c[i].ph = "own"
            /\ \E kp \in {0} \cup (IF Believes(i) THEN {Keep} ELSE {}) :
                 Client(i, [Idle EXCEPT !.n = c[i].n], {Rel(Attempt(i), c[i].tok, kp)})
            /\ Quiet
RcvGone(i) == /\ c[i].up /\ c[i].ph = "own" /\ \E m \in net : m.k = "gone" /\ m.a = Attempt(i)
              /\ Client(i, [Idle EXCEPT !.n = c[i].n], {}) /\ Quiet
Crash(i) == /\ c[i].up /\ g.crashes < MaxCrash
            /\ Client(i, [Idle EXCEPT !.up = FALSE], {}) /\ g' = [g EXCEPT !.crashes = @ + 1]
-----------------------------------------------------------------------------
(* Redis: each script one step                                               *)
\* Whether a may have the key together with those of S
Fits(S, a) ==
  LET T == IF Is("reservation-not-counted") THEN {h \in S : h.st # "r"} ELSE S IN
  CASE K(a) = "w" -> T = {} \/ (Is("writer-passes-readers") /\ \A h \in T : K(h.o) = "r")
    [] K(a) = "r" -> \A h \in T : K(h.o) = "r"
    [] OTHER -> /\ \A h \in T : K(h.o) = "p"
                /\ LET number == IF Is("number-of-the-holders") /\ T # {}
                                 THEN Number[(CHOOSE h \in T : TRUE).o[1]] ELSE Number[a[1]] IN
                   Cardinality(T) < number
Reserved(a) == [o |-> a, st |-> "r", end |-> now + Claim, t |-> 0]
\* Lets in the first places as far as they go together; who is present is alive
RECURSIVE Admit(_, _, _)
Admit(S, q, present) ==
  IF q = <<>> THEN <<S, q>>
  ELSE IF ~c[q[1][1]].up /\ q[1] # present THEN Admit(S, Tail(q), present)
  ELSE IF ~Fits(S, q[1]) THEN <<S, q>>
  ELSE IF Is("one-at-a-time") THEN <<S \cup {Reserved(q[1])}, Tail(q)>>
  ELSE Admit(S \cup {Reserved(q[1])}, Tail(q), present)
Without(q, a) == SelectSeq(q, LAMBDA x : x # a)
\* Ghosts of a step after which S have the key and q wait; a has sent what it does
Ghosts(g0, S, q, a) ==
  LET new == {h \in S : Of(Here(hs), h.o) = {}}
      ahead(x) == IF In(queue, x) THEN {k \in 1..Len(queue) : \A j \in 1..k : queue[j] # x}
                  ELSE 1..Len(queue) IN
  [g0 EXCEPT
     !.cut = @ \/ \E h \in Here(hs) : h.o # a /\ ~\E k \in S : k.o = h.o /\ k.end >= h.end /\ k.st = h.st,
     !.passed = @ \/ \E h \in new : \E k \in ahead(h.o) : c[queue[k][1]].up /\ In(q, queue[k]),
     !.many = @ \/ \E h \in new : K(h.o) = "p" /\ Cardinality(S) > Number[h.o[1]]
                                  /\ \A k \in new : Number[k.o[1]] <= Number[h.o[1]],
     !.waste = @ \/ (q # <<>> /\ c[q[1][1]].up /\ Fits({h \in S : h.end > now}, q[1])),
     !.early = @ \/ (now < g.kept /\ \E h \in new : K(h.o) = "w")]
Write(S, q) == /\ hs' = S /\ queue' = q
               /\ ttl' = IF Is("ttl-of-the-latest") /\ S \ hs # {} THEN MaxEnd(S \ hs) ELSE MaxEnd(S)
Answer(S) == UNCHANGED <<now, c>> /\ Send(S)
Ended(a) == {[k |-> "ended", a |-> a]}
\* Who knows no kinds: the rest of the record, its queue, and who has it
AcquireOld(m) ==
  LET free == now >= ttl
      q == Without(queue, m.a)
      head == IF queue = <<>> THEN TRUE ELSE queue[1] = m.a
      mine == Cardinality(hs) = 1 /\ Of(Here(hs), m.a) # {}
      own == mine /\ \A h \in hs : h.st = "o"
      h1 == [o |-> m.a, st |-> "o", end |-> now + Lease[m.a[1]], t |-> last + 1] IN
  CASE (free /\ over = m.a) \/ (free /\ Of(hs, m.a) # {} /\ \A h \in hs : h.st # "r") ->
         UNCHANGED redis /\ Quiet /\ Answer(Ended(m.a))
    [] own -> /\ hs' = {[h EXCEPT !.end = Max(@, now + Lease[m.a[1]])] : h \in hs} /\ ttl' = MaxEnd(hs')
              /\ UNCHANGED <<queue, last, over>> /\ Quiet
              /\ Answer({[k |-> "ok", a |-> m.a, s |-> m.s, t |-> h.t] : h \in hs})
    [] ~own /\ (mine \/ (free /\ head)) ->
         /\ hs' = {h1} /\ ttl' = h1.end /\ queue' = q /\ last' = last + 1 /\ over' = None
         /\ g' = Ghosts(g, {h1}, q, m.a)
         /\ Answer({[k |-> "ok", a |-> m.a, s |-> m.s, t |-> last + 1]})
    [] free /\ ~head -> /\ hs' = {Reserved(queue[1])} /\ ttl' = now + Claim /\ over' = None
                        /\ queue' = (IF In(queue, m.a) THEN Tail(queue) ELSE Append(Tail(queue), m.a))
                        /\ UNCHANGED <<last, g>> /\ Answer({})
    [] OTHER -> /\ queue' = (IF In(queue, m.a) THEN queue ELSE Append(queue, m.a))
                /\ UNCHANGED <<hs, ttl, last, over, g>> /\ Answer({})
AcquireKnown(m) ==
  LET mine == Of(hs, m.a)
      own == {h \in Here(mine) : h.st = "o"}
      claimed == {h \in Here(mine) : h.st = "r"} # {}
      there == IF Is("dead-holder-counts") THEN hs \ mine ELSE Here(hs) \ mine
      q0 == CASE claimed -> <<m.a>> \o queue
              [] In(queue, m.a) -> queue
              [] OTHER -> Append(queue, m.a)
      free == Is("reader-passes-writer") /\ K(m.a) = "r" /\ \A h \in there : K(h.o) = "r"
      q1 == IF free THEN <<m.a>> \o Without(queue, m.a) ELSE q0
      adm == Admit(there, q1, m.a)
      in == Of(adm[1], m.a) # {}
      t == IF Is("token-of-another") THEN Max(last, 1) ELSE last + 1
      S == IF in THEN (adm[1] \ Of(adm[1], m.a))
                      \cup {[o |-> m.a, st |-> "o", end |-> now + Lease[m.a[1]], t |-> t]}
           ELSE adm[1]
      q == IF in /\ Is("place-stays") THEN queue ELSE adm[2]
      ended == \/ \E h \in mine : h.st = "k" \/ (h.st = "o" /\ h.end <= now /\ ~Is("ended-ignored"))
               \/ Here(hs) = {} /\ over = m.a IN
  CASE ended -> UNCHANGED redis /\ Quiet /\ Answer(Ended(m.a))
    [] ~ended /\ own # {} /\ ~Is("counted-twice") ->
         LET h == CHOOSE x \in own : TRUE IN
         /\ Write((Here(hs) \ own) \cup {[h EXCEPT !.end = Max(@, now + Lease[m.a[1]])]}, queue)
         /\ UNCHANGED <<last, over>> /\ g' = [g EXCEPT !.cut = @ \/ ttl' < ttl]
         /\ Answer({[k |-> "ok", a |-> m.a, s |-> m.s, t |-> h.t]})
    [] OTHER ->
         /\ Write(IF own # {} THEN S \cup own ELSE S, q) /\ over' = None
         /\ last' = (IF in THEN Max(last, t + (IF Is("block-not-set-aside") THEN 1 ELSE Tokens(m.a[1])) - 1) ELSE last)
         /\ g' = [Ghosts(g, S, q, m.a) EXCEPT !.revived = @ \/ (in /\ \E h \in mine : h.st = "o" /\ h.end <= now)]
         /\ Answer(IF in THEN {[k |-> "ok", a |-> m.a, s |-> m.s, t |-> t]} ELSE {})
Acquire == \E m \in net : m.k = "acq" /\ IF m.a[1] \in Old THEN AcquireOld(m) ELSE AcquireKnown(m)
Renew == \E m \in net : m.k = "ren" /\
  \* An expired lease that nobody shares starts again, unless another command has ended it
  LET sole == Cardinality(hs) = 1
      own == {h \in (IF sole \/ Is("renew-ignores-end") THEN hs ELSE Here(hs)) :
                h.o = m.a /\ h.st = "o" /\ h.t = m.t /\ (sole \/ now < ttl \/ Is("renew-ignores-end"))}
      to == now + Lease[m.a[1]] IN
  IF own = {} THEN UNCHANGED redis /\ Quiet /\ Answer({[k |-> "gone", a |-> m.a]})
  ELSE /\ hs' = {IF h \in own THEN [h EXCEPT !.end = Max(@, to)]
                 ELSE IF Is("renewal-moves-all") THEN [h EXCEPT !.end = to] ELSE h : h \in hs}
       /\ ttl' = IF Is("renewal-shortens-ttl") THEN to ELSE Max(ttl, to)
       /\ g' = [g EXCEPT !.revived = @ \/ (~sole /\ \E h \in own : h.end <= now),
                         !.cut = @ \/ \E h \in Here(hs) : h.o # m.a /\ ~\E k \in hs' : k.o = h.o /\ k.end >= h.end]
       /\ UNCHANGED <<queue, last, over>>
       /\ Answer({[k |-> "renOk", a |-> m.a, s |-> m.s]})
Release == \E m \in net : m.k = "rel" /\
  LET Its(h) == IF Is("undo-of-the-instance") THEN h.o[1] = m.a[1] ELSE h.o = m.a
      mine == {h \in hs : Its(h) /\ h.st # "k"}
      lease == {h \in mine : h.st = "o"}
      keeps == m.kp > 0 /\ Here(lease) # {}
      back == IF m.used = Unused /\ \E h \in lease : h.t = last \/ Is("set-back-below-another")
              THEN (CHOOSE h \in lease : TRUE).t - 1 ELSE last
      kept == IF keeps /\ ~Is("minimum-hold-dropped")
              THEN {[h EXCEPT !.st = "k", !.end = now + m.kp] : h \in Here(lease)} ELSE {}
      adm == IF Is("release-lets-nobody-in") \/ (keeps /\ ~Is("minimum-hold-dropped"))
             THEN <<(Here(hs \ mine)) \cup kept, Without(queue, m.a)>>
             ELSE Admit(Here(hs \ mine), Without(queue, m.a), None) IN
  IF mine = {} /\ ~In(queue, m.a) THEN UNCHANGED redis /\ Quiet /\ Answer({})
  ELSE /\ Write(adm[1], adm[2]) /\ last' = back
       /\ over' = IF adm[1] = {} /\ mine # {} THEN m.a ELSE IF adm[1] = {} THEN over ELSE None
       /\ g' = [(IF keeps THEN g ELSE Ghosts(g, adm[1], adm[2], m.a))
                  EXCEPT !.kept = IF keeps /\ K(m.a) = "r" THEN Max(@, now + m.kp) ELSE @]
       /\ Answer({})
\* One of several, by its token
Force == /\ g.forces < MaxForce
         /\ \E h \in Here(hs) : h.st # "r" /\
              LET adm == Admit(IF Is("force-takes-all") THEN {} ELSE Here(hs) \ {h}, queue, None) IN
              /\ Write(adm[1], adm[2]) /\ over' = IF adm[1] = {} THEN h.o ELSE None
              /\ UNCHANGED last /\ Answer({})
              /\ g' = [Ghosts(g, adm[1], adm[2], h.o) EXCEPT !.forces = @ + 1, !.kept = 0]
-----------------------------------------------------------------------------
Next == Tick \/ Acquire \/ Renew \/ Release \/ Force \/
        \E i \in I : Arrive(i) \/ SendAcquire(i) \/ GiveUp(i) \/ RcvGranted(i) \/ RcvEnded(i)
           \/ SendRenew(i) \/ RcvRenewed(i) \/ HandOn(i) \/ Close(i) \/ RcvGone(i) \/ Crash(i)
Spec == Init /\ [][Next]_vars
Bound == Cardinality(net) <= MaxNet /\ last <= MaxTok
-----------------------------------------------------------------------------
\* I1: a writer alone; readers, or permits, together
Exclusion   == \A i, j \in I : i # j /\ Believes(i) /\ Believes(j) => Kind[i] = Kind[j] /\ Kind[i] # "w"
\* I1, in Redis: who has it or is to have it, has it with those of its kind
Together    == \A h, k \in Here(hs) : h.o # k.o => K(h.o) = K(k.o) /\ K(h.o) # "w"
\* I1: each went by its own number, and nobody believes in more than the greatest of them
OwnNumber   == ~g.many
FewPermits  == \A S \in SUBSET {i \in I : Believes(i) /\ Kind[i] = "p"} :
                 S # {} => \E i \in S : Cardinality(S) <= Number[i]
Backed      == \A i \in I : Believes(i) =>                                   \* I1, I8
                 \E h \in hs : h.o = Attempt(i) /\ h.st = "o" /\ h.end >= c[i].dl
\* The same for who looks at nothing but the rest of the record
Taken       == \A i \in I : Believes(i) => c[i].dl <= ttl
EndsKept    == ~g.cut          \* I2: nobody's end is another's doing
CountedOnce == /\ \A h, k \in Here(hs) : h.o = k.o => h = k                  \* one thing for each attempt
               /\ \A h \in Here(hs) : ~In(queue, h.o)
               /\ \A j, k \in 1..Len(queue) : j # k => queue[j] # queue[k]
NotPassed   == ~g.passed       \* I4: who waits is passed by nobody, a writer by no reader
ComesFree   == ~g.waste        \* I4: what there is room for the first is told to have, also after a death
TokensGrow  == ~g.tok          \* I3: of two holds that exclude each other the later has the greater token
TokensOnce  == ~g.twice
LastAbove   == g.all <= last   \* I3
KeptHolds   == ~g.early        \* no writer within a reader's minimum hold
NoRevival   == ~g.revived      \* I9
=============================================================================
