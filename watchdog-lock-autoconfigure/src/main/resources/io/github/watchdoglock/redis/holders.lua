-- Functions for the holders of a key with a shared kind. They use queue.lua, which must come before.
-- A single holder has the record of an exclusive lock. If several attempts hold the key, the attempt
-- in the first line is /, the label is (shared), and a holder follows after each tab:
-- <attempt> <state> <end, ms> <token> <label>. The end has 13 digits, the token 16. The rest of the
-- record is that of the greatest end.

local MOST_READERS, SHARED = 64, ' / (shared)'

-- Return the kind, w (exclusive), r (reader) or p (permit), and the number of attempts of this kind
-- that can hold a key together.
local function kind_of(attempt)
  local kind, number = string.match(attempt, '/([rp])(%d*)$')
  if not kind then
    return 'w', 1
  end
  return kind, kind == 'r' and MOST_READERS or tonumber(number)
end

local function digits(token)
  return string.format('%010d%06d', token / 1000000, token % 1000000)
end

-- Return all holders in the record, whether or not they have ended. An end applies only within the
-- rest of the record.
local function read_holders(key, value, queue, left, millis)
  local holders, find, sub = {}, string.find, string.sub
  if string.byte(value, 54) == 47 then
    local from, stop = find(value, '\t', 54, true), (queue or #value + 1) - 1
    while from do
      local blank, next = find(value, ' ', from, true), find(value, '\t', from + 1, true)
      local text = sub(value, from, next and next - 1 or stop)
      holders[#holders + 1] = { attempt = sub(value, from + 1, blank - 1), state = sub(value, blank + 1, blank + 1),
        stop = left == 0 and millis or tonumber(sub(value, blank + 3, blank + 15)),
        token = sub(value, blank + 17, blank + 32), label = sub(text, blank - from + 35), text = text }
      from = next
    end
    return holders
  end
  local attempt, label = string.match(value, '^(%S+) ([^\n]*)', 54)
  if not label then
    error('no lock, delete it or choose another prefix for keys')
  end
  holders[1] = { attempt = attempt, state = string.sub(value, 3, 3), stop = left < 0 and math.huge or millis + left,
    token = string.sub(value, 37, 52), label = label, alone = true }
  return holders
end

local function holder_of(holders, attempt)
  for i = 1, #holders do
    if holders[i].attempt == attempt then
      return holders[i]
    end
  end
  return nil
end

-- Return the holders whose end has not passed, except for one.
local function others_here(holders, but, millis)
  local here = {}
  for i = 1, #holders do
    if holders[i] ~= but and holders[i].stop > millis then
      here[#here + 1] = holders[i]
    end
  end
  return here
end

-- Fail if permits meet a lock, or a lock meets permits: a key cannot be used as both.
local function check_kind(key, attempt, here, alive)
  local permits = kind_of(attempt) == 'p'
  for _, all in ipairs({ here, alive }) do
    for i = 1, #all do
      if all[i].attempt ~= attempt and (kind_of(all[i].attempt) == 'p') ~= permits then
        error(permits and 'in use as a lock, choose another name for permits'
          or 'in use as permits, choose another name for the lock')
      end
    end
  end
end

-- Reserve the key for the first places, as many as can hold it together with the holders in here, and
-- add the reservations to here. No live place is passed. The present attempt is alive, and needs no
-- message. Return the number of reservations, and whether places were removed.
local function admit(here, places, millis, to, present)
  local admitted, from = 0, 1
  while places[from] do
    local place, first = places[from], here[1]
    local kind, most = kind_of(place.attempt)
    local unseen = millis - place.seen
    if first and kind_of(first.attempt) == 'w' then
      break
    end
    if place.attempt == present or unseen < DEAD_POLLS * place.poll then
      if first and (kind_of(first.attempt) ~= kind or #here >= most) then
        break
      end
      if place.attempt == present or tell(to, 'granted', place.attempt) ~= 0 or unseen < UNHEARD_POLLS * place.poll then
        admitted = admitted + 1
        here[#here + 1] = { attempt = place.attempt, state = 'r', stop = millis + claim_time(place),
          token = string.rep('0', 16), label = RESERVED_LABEL }
      end
    end
    from = from + 1
  end
  for i = 1, #places do
    places[i] = places[i + from - 1]
  end
  return admitted, from > 1
end

-- Return <other> of the answer of acquire.lua: the first different number of permits of an attempt
-- that holds a permit or has a place, or /r if no further reader can be admitted.
local function other_kind(attempt, here, places)
  local kind, most = kind_of(attempt)
  if kind == 'r' and #here >= most and kind_of(here[1].attempt) == 'r' and not holder_of(here, attempt) then
    return '/r'
  elseif kind == 'p' then
    local sub, own = string.sub, string.match(attempt, '/.*$')
    for _, all in ipairs({ here, places }) do
      for i = 1, #all do
        if sub(all[i].attempt, -#own) ~= own and kind_of(all[i].attempt) == 'p' then
          return string.match(all[i].attempt, '/.*$')
        end
      end
    end
  end
  return ''
end

local function longest(here)
  local stop = 0
  for i = 1, #here do
    stop = math.max(stop, here[i].stop)
  end
  return stop
end

-- Write the record of a key with at least one holder. In the exclusive format, a release returns all
-- unused tokens from first to last. A single holder therefore gets this format only if no other
-- attempt was granted tokens since its own block began.
local function write_holders(key, here, places, last, retention, millis)
  local sole, stop, first, state = here[1], longest(here), nil, 'r'
  local holders = {}
  for i = 1, #here do
    local holder = here[i]
    if holder.state ~= 'r' then
      state, first = 'o', first or holder.token
    end
    -- A new or changed holder has no text.
    holders[i] = holder.text or '\t' .. holder.attempt .. ' ' .. holder.state .. ' '
      .. string.format('%013.0f', holder.stop) .. ' ' .. holder.token .. ' ' .. holder.label
  end
  local text = SHARED .. table.concat(holders)
  if #here == 1 and (sole.alone or sole.state == 'r' or sole.token == last) then
    state, text = sole.state, ' ' .. sole.attempt .. ' ' .. sole.label
  end
  text = '2 ' .. state .. (#places > 0 and '+' or '-') .. ' ' .. string.format('%013.0f', retention) .. ' ' .. last
    .. ' ' .. (first or digits(last + 1)) .. text .. text_of(places)
  if stop == math.huge then
    redis.call('SET', key, text, 'KEEPTTL')
  else
    redis.call('SET', key, text, 'PX', string.format('%.0f', stop - millis + retention))
  end
end

-- Write the free record of a key without holders and live places. It has the exclusive format and the
-- attempt of the last holder, so that late commands of that attempt find that it has ended. The block
-- is empty unless this attempt held a lease alone: its repeated release returns no tokens of others.
local function leave_free(key, value, state, gone, last, retention)
  redis.call('SET', key, '2 ' .. state .. string.sub(value, 4, 4) .. ' ' .. string.sub(value, 6, 18) .. ' ' .. last .. ' '
    .. ((gone.alone and gone.state ~= 'r') and gone.token or digits(last + 1)) .. ' ' .. gone.attempt .. ' ' .. gone.label, 'PX',
    string.format('%.0f', retention / 2))
end

local function tell_holders(here, to, message, by)
  for i = 1, #here do
    if here[i].state == 'o' or here[i].state == 'l' then
      tell(to, message, here[i].attempt, by)
    end
  end
end
