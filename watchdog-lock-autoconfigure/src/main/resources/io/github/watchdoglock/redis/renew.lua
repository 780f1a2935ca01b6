-- Makes leases last from now, never shorter than they already would.
-- KEYS   the records
-- ARGV   1 lease ms, 2 tokens to set aside besides (0: none), then for each record: first
--        token in 16 digits, blank, attempt, blank
-- Answer a letter for each, in one text: r renewed, c renewed and others wait, g gone,
--        e error; the others are renewed all the same. Then a text for each that has one:
--        of r and c the first of the tokens set aside, where any are, of e the error.
-- Opens with PEXPIRE: Redis without memory refuses SETRANGE only as a script's first write.
local length, tokens = tonumber(ARGV[1]), tonumber(ARGV[2])
local call, try, byte, find, sub = redis.call, redis.pcall, string.byte, string.find, string.sub
local letters, answers, lasting = {}, { '' }, {}

local function set_aside(key, last)
  local time = call('TIME')
  local first = math.max(last + 1, time[1] * 1000000 + time[2])
  if first > 9007199254740992 - tokens then
    return nil, 'no tokens left, delete it: ' .. key
  end
  local greatest = first + tokens - 1
  call('SETRANGE', key, 19, string.format('%010d%06d', greatest / 1000000, greatest % 1000000))
  return string.format('%010d%06d', first / 1000000, first % 1000000)
end

-- Runs a hundred times in a call, so it makes few texts. States: 111 is o, 108 is l.
for i = 1, #KEYS do
  local key = KEYS[i]
  local value, letter = try('GET', key), 'g'
  if type(value) == 'table' then
    letter = 'e'
    answers[#answers + 1] = value.err
  elseif value and byte(value) == 50 and (byte(value, 3) == 111 or byte(value, 3) == 108)
      and find(value, ARGV[i + 2], 37, true) == 37 then
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
answers[1] = table.concat(letters)
return answers
