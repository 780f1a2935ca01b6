-- Looks at what replicas the server has.
-- KEYS   a key that no lock has
-- Answer <run id>, <role>, <replicas>, <those that are good enough for a write>. What the
--        server keeps to itself is empty, the last one also where writes wait for none.
local function facts(section)
  local answer = redis.pcall('INFO', section)
  return type(answer) == 'string' and answer or ''
end

local function fact(all, name)
  return string.match(all, name .. ':(%S+)') or ''
end

local replication = facts('replication')
return { fact(facts('server'), 'run_id'), fact(replication, 'role'), fact(replication, 'connected_slaves'),
  fact(replication, 'min_slaves_good_slaves') }
