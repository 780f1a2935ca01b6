-- Restarts leases from now, and never shortens them. An expired lease starts again unless another
-- command has changed its record; in the shared format, an expired lease is gone. A released lease
-- does not start again: if a renewal may arrive late, the release has set the state f.
-- KEYS   the records
-- ARGV   1 lease, ms, 2 tokens to reserve in a new block (0: none), then for each record: first
--        token in 16 digits, blank, attempt, blank
-- Answer one string with a letter for each record: r renewed, c renewed and other attempts wait,
--        g gone, e error (the other records are renewed nevertheless). Then a string for each
--        record that has one: for r and c the first token of the new block, if one was requested,
--        for e the error. The new block of a permit, .../p5, has 32 tokens, that of a reader,
--        .../r, has one.
-- Begins with PEXPIRE: if Redis is out of memory, it rejects SETRANGE only as a script's first write.
-- Since Redis 7, PEXPIRE with GT never shortens a TTL. GT treats a record without a TTL as one with
-- a longer TTL.
local GREATER = redis.REDIS_VERSION_NUM and 'GT'
local length, tokens = tonumber(ARGV[1]), tonumber(ARGV[2])
local call, byte, find, sub = redis.call, string.byte, string.find, string.sub
local letters, answers, lasting = {}, { '' }, {}
local at, reading, PERMIT_TOKENS = 0, false, 32
-- Data of the last record in the shared format. They are kept because the renewals of an instance's
-- holders of one key usually follow each other.
local several, head, holders, rest, from, now

local function set_aside(key, last, wanted_by)
  local time, shared = call('TIME'), string.match(wanted_by, '/([rp])%d* $')
  local tokens = not shared and tokens or shared == 'r' and 1 or PERMIT_TOKENS
  local first = math.max(last + 1, time[1] * 1000000 + time[2])
  if first > 9007199254740992 - tokens then
    return nil, 'no tokens left, delete it'
  end
  local greatest = first + tokens - 1
  call('SETRANGE', key, '19', string.format('%010d%06d', greatest / 1000000, greatest % 1000000))
  return string.format('%010d%06d', first / 1000000, first % 1000000)
end

-- The loop runs up to a hundred times in a call. It therefore creates few strings, and passes no
-- numbers to Redis, because they are expensive as arguments. States: 111 is o, 108 is l.
local function renew()
  for i = at + 1, #KEYS do
    at = i
    local key, wanted_by, letter = KEYS[i], ARGV[i + 2], 'g'
    reading = true
    -- Read only as much as an attempt of the usual length needs: 36 characters are before the token.
    local value = key == several and tokens == 0 and head
      or call('GETRANGE', key, '0', #wanted_by <= 44 and '79' or '-1')
    reading = false
    if byte(value) == 50 and (byte(value, 3) == 111 or byte(value, 3) == 108)
        and sub(value, 37, 36 + #wanted_by) == wanted_by then
      local retention = sub(value, 6, 18)
      local wanted = lasting[retention]
      if not wanted then
        wanted = string.format('%.0f', length + retention)
        lasting[retention] = wanted
      end
      letter = byte(value, 4) == 43 and 'c' or 'r'
      if not GREATER or call('PEXPIRE', key, wanted, GREATER) == 0 then
        local ttl = call('PTTL', key)
        call('PEXPIRE', key, ttl > tonumber(wanted) and string.format('%.0f', ttl) or wanted)
      end
      if tokens > 0 then
        local first, problem = set_aside(key, tonumber(sub(value, 20, 35)), wanted_by)
        letter = first and letter or 'e'
        answers[#answers + 1] = first or problem
      end
    elseif byte(value, 54) == 47 and byte(value) == 50 then
      -- The shared format of holders.lua, in which each holder has its own end.
      if key ~= several then
        several, head, holders, rest, from = key, value, call('GETRANGE', key, '0', '-1'), call('PTTL', key), nil
      end
      local wanted = '\t' .. sub(wanted_by, 18)
      local own = find(holders, wanted, from or 54, true) or find(holders, wanted, 54, true)
      local state = own and own + #wanted_by - 16
      if state and byte(holders, state) == 111 and sub(holders, state + 16, state + 31) == sub(wanted_by, 1, 16) then
        if not now then
          now = call('TIME')
          now = now[1] * 1000 + math.floor(now[2] / 1000)
        end
        local stop, retention = tonumber(sub(holders, state + 2, state + 14)), tonumber(sub(value, 6, 18))
        if stop > now and (rest > retention or rest < 0) then
          local lasts = math.max(stop, now + length)
          letter = byte(value, 4) == 43 and 'c' or 'r'
          if not from or lasts - now + retention > rest then
            rest = math.max(rest, lasts - now + retention)
            call('PEXPIRE', key, string.format('%.0f', rest))
          end
          from = own
          if lasts > stop then
            call('SETRANGE', key, string.format('%d', state + 1), string.format('%013.0f', lasts))
          end
          if tokens > 0 then
            local first, problem = set_aside(key, tonumber(sub(value, 20, 35)), wanted_by)
            letter = first and letter or 'e'
            answers[#answers + 1] = first or problem
          end
        end
      end
    end
    letters[i] = letter
  end
end

-- A value that cannot be read fails only its own renewal. A redis.pcall for each record costs more.
while at < #KEYS do
  local done, problem = pcall(renew)
  if not done then
    if not reading then
      error(problem, 0)
    end
    letters[at] = 'e'
    answers[#answers + 1] = type(problem) == 'table' and problem.err or problem
  end
end
answers[1] = table.concat(letters)
return answers
