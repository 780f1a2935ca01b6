-- Makes leases last from now, never shorter than they already would.
-- KEYS   the leases, then the fences in the same order unless ARGV[3] is leave
-- ARGV   1 lease ms, 2 retention of the fence ms, 3 what becomes of the fence:
--        leave|keep|next_block, then for each lease: attempt, blank, first token, blank
-- Answer a letter for each, in one text: r renewed, c renewed and others wait, g gone,
--        e error; the others are renewed all the same. Then a text for each that has one:
--        of r and c the first token of the next block where one is wanted, of e the error.
-- Opens with PEXPIRE: Redis without memory refuses SET only as a script's first write.
-- include tokens.lua

local length, retention, fence = ARGV[1], ARGV[2], ARGV[3]
local count, millis = #ARGV - 3, tonumber(ARGV[1])
local call, try, byte, find = redis.call, redis.pcall, string.byte, string.find
local letters, answers = {}, { '' }

-- Runs a hundred times in a call, so it makes no texts: lease.lua says what it looks for.
for i = 1, count do
  local value, letter = try('GET', KEYS[i]), 'g'
  if type(value) == 'table' then
    letter = 'e'
    answers[#answers + 1] = value.err
  elseif value and find(value, '1 o', 1, true) == 1 and find(value, ARGV[i + 3], 6, true) == 6 then
    letter = byte(value, 4) == 43 and 'c' or 'r'
    local left = call('PTTL', KEYS[i])
    call('PEXPIRE', KEYS[i], left > millis and left or length)
    if fence == 'keep' then
      if call('PTTL', KEYS[count + i]) < tonumber(retention) then
        call('PEXPIRE', KEYS[count + i], retention)
      end
    elseif fence == 'next_block' then
      local ok, first = pcall(next_block, KEYS[count + i], retention, call('TIME'))
      letter = ok and letter or 'e'
      answers[#answers + 1] = ok and first or (type(first) == 'table' and first.err or tostring(first))
    end
  end
  letters[i] = letter
end
answers[1] = table.concat(letters)
return answers
