-- Functions for the queue. It has a line of the record for each place, in the order of arrival, each
-- after a line feed: <seen, ms> <poll, ms> <attempt>. Both numbers have 13 digits. Times are those of
-- the server's clock.

local RESERVED_LABEL = '(reserved)'
local DEAD_POLLS, UNHEARD_POLLS, CLAIM_POLLS = 3, 2, 1.5

-- The length of a place with its line feed, and without its attempt and the blank before it.
local PLACE_HEAD = 28

local function now_millis()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function new_place(attempt, poll, millis)
  local text = string.format('\n%013.0f %013.0f ', millis, poll) .. attempt
  return { attempt = attempt, poll = poll, seen = millis, text = text }
end

-- Return the position of the line feed with which the place of an attempt begins. The id is searched
-- as a whole, up to the end of a line, so a.1 does not match a.12.
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

-- Return the channel prefix, the name and the mode for messages about a lock. Mode: 0 no messages,
-- 1 messages, 2 messages whose number of recipients is ignored, because PUBLISH counts the subscribers
-- at one server only (in a cluster, or if the application reads from replicas).
local function messages(key, mode)
  local prefix, name = string.match(key, '^(.*):{(.*)}$')
  return { channels = prefix .. ':instance:', name = name, mode = mode }
end

-- Publish a message. Return the number of its recipients, or nil if the number is unknown or the mode
-- is 0.
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

-- Return the first live place, which is notified of its turn, and the places behind it. The present
-- attempt is alive, and needs no message.
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

-- Reserve the key for one place. The block of a reservation is empty, because no token of it can have
-- been used.
local function reserve(key, value, last, place, others)
  local retention, first = string.sub(value, 6, 18), last + 1
  redis.call('SET', key, '2 r' .. (#others > 0 and '+' or '-') .. ' ' .. retention .. ' ' .. last .. ' '
    .. string.format('%010d%06d', first / 1000000, first % 1000000) .. ' ' .. place.attempt .. ' ' .. RESERVED_LABEL
    .. text_of(others), 'PX', string.format('%.0f', claim_time(place) + retention))
end

-- If Redis is out of memory, it rejects SET, APPEND and SETRANGE only as a script's first write. This
-- PEXPIRE comes before them, and changes nothing, except that a record without a TTL gets one.
local function write_first(key, ttl, retention)
  redis.call('PEXPIRE', key, string.format('%.0f', ttl < 0 and 2 * retention or math.max(1, ttl)))
end

-- Write a free record without places. Its TTL is half the retention, so that the former lease is not
-- restored if the server's clock is set back by less than that.
local function set_free(key, value, state, last)
  local stop = string.find(value, '\n', 54, true)
  redis.call('SET', key, '2 ' .. state .. string.sub(value, 4, 19) .. last .. string.sub(value, 36, stop and stop - 1),
    'PX', string.format('%.0f', string.sub(value, 6, 18) / 2))
end
