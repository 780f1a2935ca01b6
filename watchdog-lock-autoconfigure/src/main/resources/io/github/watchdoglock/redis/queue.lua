-- Queue, LIST in order of arrival, of: <seen, ms> <poll, ms> <attempt>
-- Has a TTL at all times. Times are the server's.

local RESERVED_LABEL = '(reserved)'
local DEAD_POLLS, UNHEARD_POLLS, CLAIM_POLLS = 3, 2, 1.5

local function now_millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
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
local function enter(queue, attempt, poll)
  local place = string.format('%.0f %.0f ', now_millis(), poll) .. attempt
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

-- Where messages about a lease go. Mode: 0 nowhere, 1 to all who listen, 2 the same in a
-- cluster, where PUBLISH counts the listeners of one node only.
local function messages(lease, mode)
  local prefix, name = string.match(lease, '^(.*):{(.*)}:lease$')
  return { channels = prefix .. ':instance:', name = name, mode = mode }
end

-- Answers how many heard it, nil where that can't be known.
local function tell(to, message, attempt)
  if to.mode == '0' then
    return nil
  end
  local instance = string.match(attempt, '^(.*)%.') or attempt
  local heard = redis.pcall('PUBLISH', to.channels .. instance, message .. ' ' .. attempt .. ' ' .. to.name)
  if to.mode == '2' or type(heard) ~= 'number' then
    return nil
  end
  return heard
end

-- Reserves the key for the first place that is alive, dropping the dead ones before it, or
-- frees it; answers who is next: nobody, requeued, other. A first place may have been taken
-- out of the queue already. The one just requeued needs no message.
local function pass_on(lease, queue, to, requeued, place)
  local millis = now_millis()
  place = place or redis.call('LPOP', queue)
  while place do
    local seen, poll, attempt = string.match(place, '^(%d+) (%d+) (%S+)$')
    if seen and millis - seen < DEAD_POLLS * poll then
      local heard = attempt ~= requeued and tell(to, 'granted', attempt)
      if heard ~= 0 or millis - seen < UNHEARD_POLLS * poll then
        local value = lease_value('r', '-', attempt, '0', string.format('%.0f', millis / 1000), RESERVED_LABEL)
        redis.call('SET', lease, value, 'PX', string.format('%.0f', math.ceil(CLAIM_POLLS * poll)))
        return attempt == requeued and 'requeued' or 'other'
      end
    end
    place = redis.call('LPOP', queue)
  end
  redis.call('DEL', lease)
  return 'nobody'
end
