-- The queue: a line of the record for each place, in order of arrival, behind a line feed:
-- <seen, ms> <poll, ms> <attempt>. The numbers have 13 digits. Times are the server's.

local RESERVED_LABEL = '(reserved)'
local DEAD_POLLS, UNHEARD_POLLS, CLAIM_POLLS = 3, 2, 1.5

-- Length of a line without the blank and the attempt, with the line feed.
local PLACE_HEAD = 28

local function now_millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function new_place(attempt, poll, millis)
  local text = string.format('\n%013.0f %013.0f ', millis, poll) .. attempt
  return { attempt = attempt, poll = poll, seen = millis, text = text }
end

-- Where the place of an attempt begins; looked for as a whole line.
local function position(value, queue, attempt)
  local found = queue and string.find(value, ' ' .. attempt .. '\n', queue + PLACE_HEAD, true)
  if queue and not found and string.sub(value, -#attempt - 1) == ' ' .. attempt then
    found = #value - #attempt
  end
  return found and found - PLACE_HEAD
end

local function read_places(value, queue)
  local places = {}
  if queue then
    for text, seen, poll, attempt in string.gmatch(string.sub(value, queue), '(\n(%d+) (%d+) (%S+))') do
      places[#places + 1] = { attempt = attempt, poll = tonumber(poll), seen = tonumber(seen), text = text }
    end
  end
  return places
end

local function text_of(places)
  local texts = {}
  for i = 1, #places do
    texts[i] = places[i].text
  end
  return table.concat(texts)
end

local function place_in(places, attempt)
  for i = 1, #places do
    if places[i].attempt == attempt then
      return i
    end
  end
  return nil
end

local function alive_places(places, millis)
  local alive = {}
  for i = 1, #places do
    if millis - places[i].seen < DEAD_POLLS * places[i].poll then
      alive[#alive + 1] = places[i]
    end
  end
  return alive
end

-- Where messages about a lock go. Mode: 0 nowhere, 1 to all who listen, 2 the same in a
-- cluster, where PUBLISH counts the listeners of one node only.
local function messages(key, mode)
  local prefix, name = string.match(key, '^(.*):{(.*)}$')
  return { channels = prefix .. ':instance:', name = name, mode = mode }
end

-- Answers how many heard it, nil where that can't be known.
local function tell(to, message, attempt, by)
  if to.mode == '0' then
    return nil
  end
  local instance = string.match(attempt, '^(.*)%.') or attempt
  local text = message .. ' ' .. attempt .. (by and ' ' .. by or '') .. ' ' .. to.name
  local heard = redis.pcall('PUBLISH', to.channels .. instance, text)
  if to.mode == '2' or type(heard) ~= 'number' then
    return nil
  end
  return heard
end

-- The first place that is alive, told of its turn, and those behind it. Who is present is
-- alive, and knows.
local function next_place(places, millis, to, present)
  for i = 1, #places do
    local place = places[i]
    local unseen = millis - place.seen
    if place.attempt == present or (unseen < DEAD_POLLS * place.poll
        and (tell(to, 'granted', place.attempt) ~= 0 or unseen < UNHEARD_POLLS * place.poll)) then
      local others = {}
      for j = i + 1, #places do
        others[j - i] = places[j]
      end
      return place, others
    end
  end
  return nil, {}
end

local function claim_time(place)
  return math.ceil(CLAIM_POLLS * place.poll)
end

-- The key waits for one place. Its block is empty: nothing of it can have been used.
local function reserve(key, value, last, place, others)
  local retention, first = string.sub(value, 6, 18), last + 1
  redis.call('SET', key, '2 r' .. (#others > 0 and '+' or '-') .. ' ' .. retention .. ' ' .. last .. ' '
    .. string.format('%010d%06d', first / 1000000, first % 1000000) .. ' ' .. place.attempt .. ' ' .. RESERVED_LABEL
    .. text_of(others), 'PX', string.format('%.0f', claim_time(place) + retention))
end

-- Redis without memory refuses SET, APPEND and SETRANGE only as a script's first write: this
-- one comes before them, and changes nothing but a TTL that has no end.
local function write_first(key, ttl, retention)
  redis.call('PEXPIRE', key, string.format('%.0f', ttl < 0 and 2 * retention or math.max(1, ttl)))
end

-- The key is free, and nobody is in its queue. Half the retention: a clock that is set back
-- by less gives it back to nobody.
local function set_free(key, value, state, last)
  local stop = string.find(value, '\n', 54, true)
  redis.call('SET', key, '2 ' .. state .. string.sub(value, 4, 19) .. last .. string.sub(value, 36, stop and stop - 1),
    'PX', string.format('%.0f', string.sub(value, 6, 18) / 2))
end
