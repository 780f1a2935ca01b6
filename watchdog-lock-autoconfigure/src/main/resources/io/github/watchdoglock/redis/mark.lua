-- Marks the server, or reads its mark. A script, because a proxy may send GET to a replica.
-- KEYS   a key that no lock uses
-- ARGV   1 the mark ('': only read it), 2 its TTL, ms
-- Answer the mark that the server has now; '' if it has none.
if ARGV[1] ~= '' then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return redis.call('GET', KEYS[1]) or ''
