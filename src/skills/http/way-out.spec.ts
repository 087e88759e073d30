import { UndiciOutboundHttp } from '../../outbound/undici-outbound-http.js';
import { makeHttpSkill } from './http-skill.js';

it('says who can open an address that a skill may not reach', async () => {
  const outbound = new UndiciOutboundHttp({ allow: [] });
  const settings = {
    method: 'POST',
    url: 'http://10.1.2.3/stock',
    headers: {},
    secretHeaders: [],
    secretQuery: [],
    body: 'JSON',
    placements: [],
    resultPath: null,
  };
  const words = { name: 'n', description: 'd', parameters: null, idempotent: false, timeoutMs: 5_000 };
  const skill = makeHttpSkill('k', { ...words, settings }, {}, outbound);
  const place = { callId: 'call-1', signal: new AbortController().signal };
  await expect(skill.run({}, place)).rejects.toThrow(
    /^The service could not be called: .*may not be reached.*operator of this server.*OUTBOUND_ALLOW\.$/,
  );
  await outbound.close();
});
