-- Takes a key, or a place in its queue.
-- KEYS   lease, queue, fence
-- ARGV   1 attempt, 2 lease ms, 3 retention of the fence ms, 4 poll ms (0: no place),
--        5 size of a block, 6 prefix of channels, 7 key in messages, 8 cluster 0|1, 9 label
-- Answer granted, <first token>, <others wait 0|1>
--        busy, <ms left, -1 without end>, <label of who has it>
local attempt, length, poll = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[4])
local current = read_lease(KEYS[1])

if not current or (current.state == 'r' and current.attempt == attempt) then
  local micros, millis = server_time()
  local first = next_block(KEYS[3], tonumber(ARGV[5]), tonumber(ARGV[3]), micros)
  leave(KEYS[2], attempt)
  local contended = redis.call('EXISTS', KEYS[2]) == 1
  redis.call('SET', KEYS[1], lease_value('o', contended, attempt, first, text(millis), ARGV[9]), 'PX', ARGV[2])
  return { 'granted', first, contended and '1' or '0' }
end

if current.state == 'o' and current.attempt == attempt then
  extend(KEYS[1], length)
  return { 'granted', current.first, current.contended and '1' or '0' }
end

if poll > 0 then
  local _, millis = server_time()
  local new = enter(KEYS[2], attempt, poll, millis)
  if new and current.state == 'o' and not current.contended then
    tell(messages(ARGV[6], ARGV[7], ARGV[8]), 'contended', current.attempt)
    local value = lease_value('o', true, current.attempt, current.first, current.since, current.label)
    redis.call('SET', KEYS[1], value, 'KEEPTTL')
  end
end
return { 'busy', text(redis.call('PTTL', KEYS[1])), current.label }
