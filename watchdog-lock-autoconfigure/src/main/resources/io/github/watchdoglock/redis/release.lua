-- Ends whatever an attempt has: the lease, a reservation, or a place.
-- KEYS   lease, queue, fence
-- ARGV   1 attempt, 2 last token used (0: none, -1: unknown), 3 retention of the fence ms,
--        4 ms for which nobody is handed the key, 5 attempt that takes a place where a lease
--        ends (''), 6 its poll ms, 7 prefix of channels, 8 key in messages, 9 cluster 0|1
-- Answer lease|reservation|place|nothing, <reserved for the attempt of ARGV[5] 0|1>
-- Opens with PEXPIRE or LPOP: Redis without memory refuses SET only as a script's first
-- write.
local attempt, last, retention, keep, requeued = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local to = messages(ARGV[7], ARGV[8], ARGV[9])
local current = read_lease(KEYS[1])

if current and current.state == 'o' and current.attempt == attempt then
  extend(KEYS[3], retention)
  if last >= 0 then
    write_fence(KEYS[3], math.max(last, current.first - 1), retention)
  end
  if requeued ~= '' and not find_place(KEYS[2], requeued) then
    local _, millis = server_time()
    enter(KEYS[2], requeued, tonumber(ARGV[6]), millis)
  end
  if keep > 0 then
    local value = lease_value('k', false, attempt, current.first, current.since, current.label)
    redis.call('SET', KEYS[1], value, 'PX', ARGV[4])
    return { 'lease', '0' }
  end
  local head = pass_on(KEYS[1], KEYS[2], to, requeued)
  return { 'lease', (head and head == requeued) and '1' or '0' }
end

if current and current.state == 'r' and current.attempt == attempt then
  pass_on(KEYS[1], KEYS[2], to, '')
  return { 'reservation', '0' }
end

return { leave(KEYS[2], attempt) and 'place' or 'nothing', '0' }
