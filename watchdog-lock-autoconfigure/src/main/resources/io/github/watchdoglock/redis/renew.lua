-- Makes leases last from now, never shorter than they already would.
-- KEYS   the records
-- ARGV   1 lease ms, 2 tokens to set aside besides (0: none), then for each record: first
--        token in 16 digits, blank, attempt, blank
-- Answer a letter for each, in one text: r renewed, c renewed and others wait, g gone,
--        e error; the others are renewed all the same. Then a text for each that has one:
--        of r and c the first of the tokens set aside, where any are, of e the error.
-- Opens with PEXPIRE: Redis without memory refuses SETRANGE only as a script's first write.
local length, tokens = tonumber(ARGV[1]), tonumber(ARGV[2])
local call, byte, find, sub = redis.call, string.byte, string.find, string.sub
local letters, answers, lasting = {}, { '' }, {}
local at, reading = 0, false

local function set_aside(key, last)
  local time = call('TIME')
  local first = math.max(last + 1, time[1] * 1000000 + time[2])
  if first > 9007199254740992 - tokens then
    return nil, 'no tokens left, delete it: ' .. key
  end
  local greatest = first + tokens - 1
  call('SETRANGE', key, '19', string.format('%010d%06d', greatest / 1000000, greatest % 1000000))
  return string.format('%010d%06d', first / 1000000, first % 1000000)
end

-- Runs a hundred times in a call, so it makes few texts, and no numbers are given to Redis,
-- which are dear. States: 111 is o, 108 is l.
local function renew()
  for i = at + 1, #KEYS do
    at = i
    local key, wanted_by, letter = KEYS[i], ARGV[i + 2], 'g'
    reading = true
    -- As far as an attempt of the usual length goes: 36 characters are before the token.
    local value = call('GETRANGE', key, '0', #wanted_by <= 44 and '79' or '-1')
    reading = false
    if byte(value) == 50 and (byte(value, 3) == 111 or byte(value, 3) == 108)
        and find(value, wanted_by, 37, true) == 37 then
      local ttl, retention = call('PTTL', key), sub(value, 6, 18)
      local wanted = lasting[retention]
      if not wanted then
        wanted = { tonumber(retention), length + retention, string.format('%.0f', length + retention) }
        lasting[retention] = wanted
      end
      if ttl > wanted[1] or ttl < 0 then
        letter = byte(value, 4) == 43 and 'c' or 'r'
        call('PEXPIRE', key, ttl > wanted[2] and string.format('%.0f', ttl) or wanted[3])
        if tokens > 0 then
          local first, problem = set_aside(key, tonumber(sub(value, 20, 35)))
          letter = first and letter or 'e'
          answers[#answers + 1] = first or problem
        end
      end
    end
    letters[i] = letter
  end
end

-- What can't be read fails by itself; redis.pcall for each costs more.
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
