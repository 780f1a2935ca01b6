-- Makes leases last from now, never shorter than they already would.
-- KEYS   for each: lease, fence
-- ARGV   1 size of a block, then for each: attempt, first token of the lease, lease ms,
--        retention of the fence ms, next block wanted 0|1
-- Answer for each: renewed <others wait 0|1> [<first token of the next block>]
--        gone
--        error <text>; the others are renewed all the same
-- Opens with PEXPIRE: Redis without memory refuses SET only as a script's first write.
local function renew(lease, fence, attempt, first, length, retention, next_wanted)
  local current = read_lease(lease)
  if not current or current.state ~= 'o' or current.attempt ~= attempt or current.first ~= first then
    return 'gone'
  end
  local answer = current.contended and 'renewed 1' or 'renewed 0'
  extend(fence, retention)
  if next_wanted then
    answer = answer .. ' ' .. next_block(fence, tonumber(ARGV[1]), retention, (server_time()))
  end
  extend(lease, length)
  return answer
end

local answers = {}
for i = 1, #KEYS / 2 do
  local at = 5 * i - 3
  local ok, answer = pcall(renew, KEYS[2 * i - 1], KEYS[2 * i], ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2]),
    tonumber(ARGV[at + 3]), ARGV[at + 4] == '1')
  if not ok then
    answer = 'error ' .. (type(answer) == 'table' and answer.err or tostring(answer))
  end
  answers[i] = answer
end
return answers
