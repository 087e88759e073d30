import { UndiciOutboundHttp } from '@palabre/outbound';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { RecordedTracing } from './recorded-tracing.double.js';
import { within } from './span.js';
import { tracedRequest } from './traced-requests.js';

it('a request belongs to the trace of whoever asks, of which its host is told and no more', async () => {
  await using site = await LocalSite.start(
    (request, response) => void response.writeHead(404).end(request.headers.traceparent),
  );
  const client = new UndiciOutboundHttp({ allow: [site.host], around: tracedRequest });
  const get = async (path: string): Promise<string> => {
    const { signal } = new AbortController();
    const answer = await client.request({
      url: site.url + path,
      requester: 'a',
      timeoutMs: 10_000,
      maxBytes: 1_000,
      signal,
    });
    return answer.body.toString();
  };
  expect(await get('')).toBe('');
  const tracing = new RecordedTracing();
  const told = await within(tracing.receive(null), () => get('/a?key=secret'));
  const span = tracing.span('GET');
  const { traceId, spanId } = span.spanContext();
  expect(told).toBe(`00-${traceId}-${spanId}-01`);
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'server.address': new URL(site.url).hostname,
    'server.port': Number(new URL(site.url).port),
    'http.response.status_code': 404,
    'error.type': '404',
  });
  await client.close();
});
