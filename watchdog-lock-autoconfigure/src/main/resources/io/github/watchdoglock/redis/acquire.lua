-- Acquires a key, or adds or refreshes a place in its queue.
-- KEYS   record
-- ARGV   1 attempt, 2 lease and retention together, ms, 3 retention, ms in 13 digits,
--        4 number of tokens in the block, 5 poll, ms (0: the attempt does not wait), 6 new place
--        always|idle (idle: only if the lease may be kept idle and no live place is in the
--        queue), 7 state of a grant o|l, 8 mode of messages 0|1|2, 9 label
--        An attempt .../r is a reader, which requests one token. An attempt .../p5 requests one
--        of five permits. The leases of both are never kept idle.
-- Answer granted <first token> <last token> <other attempts wait +|-><other>
--        busy <ms left, -1 without end> <has a place +|-><other> <label>
--        ended (the attempt has ended, and is not granted)
--        other: /p6, the first different number of permits of an attempt that holds a permit or
--        has a place; /r if no further reader can be admitted; or nothing
--        label: of the holder that ends first; (reserved) if there are only reservations;
--        (unknown) in a record of another version
local key, attempt, call = KEYS[1], ARGV[1], redis.call
local value, last, queued = call('GET', key), '', ''

if value then
  local find, sub = string.find, string.sub
  local retention = tonumber(sub(value, 6, 18))
  last = sub(value, 20, 35)
  if not retention or not tonumber(last) then
    error('no lock, delete it or choose another prefix for keys')
  end
  local ttl = call('PTTL', key)
  -- Most calls skip this block, because Redis creates each function in it again in every run.
  if ttl < 0 or ttl > retention or find(value, '\n', 54, true) or find(value, attempt, 54, true) then
    -- include queue.lua
    local left = ttl < 0 and ttl or math.max(0, ttl - retention)
    if sub(value, 1, 2) ~= '2 ' then
      if left ~= 0 then
        return string.format('busy %.0f - (unknown)', left)
      end
    else
      local state, waiters, queue = sub(value, 3, 3), sub(value, 4, 4), find(value, '\n', 54, true)
      local own = sub(value, 54, 54 + #attempt) == attempt .. ' '
      if own and (state == 'k' or state == 'f' or (left == 0 and state ~= 'r')) then
        return 'ended'
      end
      -- A slash marks a shared kind: of this attempt, of a holder or of a waiting attempt. An attempt
      -- that already holds the key alone gets the same grant below, like an exclusive one.
      if (find(attempt, '/', 1, true) or find(value, '^[^ /]*/', 54) or (queue and find(value, '/', queue, true)))
          and not (own and left ~= 0 and state ~= 'r') then
        -- include holders.lua
        -- include acquire-shared.lua
      end
      local poll, millis, to = tonumber(ARGV[5]), now_millis(), messages(key, ARGV[8])
      local place = poll > 0 and new_place(attempt, poll, millis)
      if own and left ~= 0 and state == 'r' then
        queued = queue and sub(value, queue) or ''
      elseif own and left ~= 0 then
        local lasting = ARGV[2] - ARGV[3] + retention
        if ttl < lasting then
          call('PEXPIRE', key, string.format('%.0f', lasting))
        end
        return 'granted ' .. sub(value, 37, 52) .. ' ' .. last .. ' ' .. waiters
      elseif left == 0 then
        -- A lease, a reservation or a minimum hold has ended, and other attempts may be ahead in the queue.
        local places = read_places(value, queue)
        local next, others = next_place(places, millis, to, attempt)
        if next and next.attempt ~= attempt then
          local mine = place_in(others, attempt)
          if place and (mine or ARGV[6] == 'always') then
            mine = mine or #others + 1
            others[mine] = place
          end
          reserve(key, value, last, next, others)
          return string.format('busy %.0f ', claim_time(next)) .. (mine and '+ ' or '- ') .. RESERVED_LABEL
        end
        queued = text_of(others)
      else
        local owner, label = string.match(value, '^(%S+) ([^\n]*)', 54)
        if not label then
          error('no lock, delete it or choose another prefix for keys')
        end
        local at, has_place = position(value, queue, attempt), '+'
        if not place then
          has_place = at and '+' or '-'
        elseif at then
          call('SETRANGE', key, at - 1, sub(place.text, 1, PLACE_HEAD))
        else
          local places = read_places(value, queue)
          local alive = alive_places(places, millis)
          if ARGV[6] == 'idle' and (state ~= 'l' or #alive > 0) then
            has_place = '-'
          elseif #alive < #places then
            call('SET', key, sub(value, 1, queue - 1) .. text_of(alive) .. place.text, 'KEEPTTL')
          else
            call('APPEND', key, place.text)
          end
        end
        if place and has_place == '+' and (state == 'o' or state == 'l') then
          if waiters == '-' then
            call('SETRANGE', key, 3, '+')
          end
          if waiters == '-' or (state == 'l' and ARGV[6] == 'idle') then
            tell(to, 'contended', owner, attempt)
          end
        end
        return string.format('busy %.0f ', left) .. has_place .. ' ' .. label
      end
    end
  end
end

-- The block begins with the greater of last + 1 and the microseconds of the clock. Last alone is not
-- enough, because the record may have been lost, or may be an older one.
local time = call('TIME')
local first = time[1] .. time[2]
if #first < 16 then
  first = string.format('%010d%06d', time[1], time[2])
end
if first <= last then
  -- Numbers beyond this limit are no longer exact. The clock reaches it in 2255.
  if tonumber(last) >= 9007199254740992 - ARGV[4] then
    error('no tokens left, delete it')
  end
  first = string.format('%010d%06d', (last + 1) / 1000000, (last + 1) % 1000000)
end
local greatest = first
if ARGV[4] ~= '1' then
  local number = first + ARGV[4] - 1
  greatest = string.format('%010d%06d', number / 1000000, number % 1000000)
end
local contended = queued == '' and '-' or '+'
call('SET', key, '2 ' .. ARGV[7] .. contended .. ' ' .. ARGV[3] .. ' ' .. greatest .. ' ' .. first .. ' ' .. attempt
  .. ' ' .. ARGV[9] .. queued, 'PX', ARGV[2])
return 'granted ' .. first .. ' ' .. greatest .. ' ' .. contended
