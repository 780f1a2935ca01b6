-- Reads which replicas the server has.
-- KEYS   a key that no lock uses
-- Answer <run id>, <role>, <number of replicas>, <number of replicas that are good enough for a
--        write>. A fact that the server does not report is empty. The last one is also empty if
--        writes require no replica.
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
