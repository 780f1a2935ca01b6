-- What the scripts share; it stands before the text of each.
--
-- Lease, STRING: 1 <state><waiters> <attempt> <first token> <since, ms> <holder's label>
--   1        version of this format; a lease of another one is somebody else's
--   state    o owned, r reserved for this attempt, k kept: released, but nobody's turn yet
--   waiters  + if others wait or did, else -
-- Queue, LIST in order of arrival, of: <seen, ms> <poll, ms> <attempt>
-- Fence, STRING: the highest token that may have been given
-- All three have a TTL at all times. Times are the server's.

local RESERVED_LABEL = '(reserved)'
local UNKNOWN_LABEL = '(unknown)'
local DEAD_POLLS, UNHEARD_POLLS, CLAIM_POLLS = 3, 2, 1.5

-- A number as decimal digits; tostring() turns to exponents at 1e14.
local function text(number)
  return string.format('%.0f', number)
end

local function server_time()
  local time = redis.call('TIME')
  local micros = time[1] * 1000000 + time[2]
  return micros, math.floor(micros / 1000)
end

-- A TTL of at least this, never a shorter one than there is; no effect on an absent key.
local function extend(key, ttl)
  redis.call('PEXPIRE', key, text(math.max(ttl, redis.call('PTTL', key))))
end

local function read_lease(key)
  local value = redis.call('GET', key)
  if not value then
    return nil
  end
  local state, waiters, attempt, first, since, label =
    string.match(value, '^1 ([ork])([+-]) (%S+) (%d+) (%d+) (.*)$')
  if not state then
    return { state = '?', first = '0', label = UNKNOWN_LABEL }
  end
  return { state = state, contended = waiters == '+', attempt = attempt, first = first, since = since, label = label }
end

local function lease_value(state, contended, attempt, first, since, label)
  return '1 ' .. state .. (contended and '+ ' or '- ') .. attempt .. ' ' .. first .. ' ' .. since .. ' ' .. label
end

local function write_fence(key, token, retention)
  redis.call('SET', key, text(token), 'PX', text(math.max(retention, redis.call('PTTL', key))))
end

-- Sets a block of tokens aside and answers the first of them.
local function next_block(key, size, retention, micros)
  local highest = tonumber(redis.call('GET', key) or 0)
  if not highest then
    error(key .. ' is no number: delete it')
  end
  local first = math.max(highest + 1, micros)
  write_fence(key, first + size - 1, retention)
  return text(first)
end

-- Index (from 0) and text of the place of an attempt.
local function find_place(queue, attempt)
  local places = redis.call('LRANGE', queue, 0, -1)
  local ending = ' ' .. attempt
  for i = 1, #places do
    if string.sub(places[i], -#ending) == ending then
      return i - 1, places[i]
    end
  end
  return nil
end

-- Takes the last place, or refreshes the one there is; answers whether it is new.
local function enter(queue, attempt, poll, millis)
  local place = text(millis) .. ' ' .. text(poll) .. ' ' .. attempt
  local index = find_place(queue, attempt)
  if index then
    extend(queue, DEAD_POLLS * poll)
    redis.call('LSET', queue, index, place)
  else
    redis.call('RPUSH', queue, place)
    extend(queue, DEAD_POLLS * poll)
  end
  return not index
end

local function leave(queue, attempt)
  local index, place = find_place(queue, attempt)
  if index then
    redis.call('LREM', queue, 1, place)
  end
  return index ~= nil
end

-- Where messages go: prefix of the channels ('' for no messages), the key as they name it,
-- and '1' if PUBLISH counts the listeners of one node only.
local function messages(channels, name, clustered)
  return { channels = channels, name = name, clustered = clustered == '1' }
end

-- Answers how many heard it, nil where that can't be known.
local function tell(to, message, attempt)
  if to.channels == '' then
    return nil
  end
  local instance = string.match(attempt, '^(.*)%.') or attempt
  local heard = redis.pcall('PUBLISH', to.channels .. instance, message .. ' ' .. attempt .. ' ' .. to.name)
  if to.clustered or type(heard) ~= 'number' then
    return nil
  end
  return heard
end

-- Reserves the key for the first place that is alive, dropping the dead ones before it, or
-- frees it; answers for which attempt. The one just requeued needs no message.
local function pass_on(lease, queue, to, requeued)
  local _, millis = server_time()
  local place = redis.call('LPOP', queue)
  while place do
    local seen, poll, attempt = string.match(place, '^(%d+) (%d+) (%S+)$')
    if seen and millis - seen < DEAD_POLLS * poll then
      local heard = attempt ~= requeued and tell(to, 'granted', attempt)
      if heard ~= 0 or millis - seen < UNHEARD_POLLS * poll then
        local value = lease_value('r', false, attempt, '0', text(millis), RESERVED_LABEL)
        redis.call('SET', lease, value, 'PX', text(math.ceil(CLAIM_POLLS * poll)))
        return attempt
      end
    end
    place = redis.call('LPOP', queue)
  end
  redis.call('DEL', lease)
  return nil
end
