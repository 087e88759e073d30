import { formatSecret, webhookRequest } from './webhook-sender.service.js';

const message = {
  id: 'msg_1',
  type: 'ping' as const,
  at: new Date('2026-11-23T08:00:00.000Z'),
  data: { über: 'ça 碳' },
};

it('is signed as Standard Webhooks are', () => {
  const secret = formatSecret(Buffer.from('an example of a secret, 32 bytes'));
  const { headers, body } = webhookRequest(message, secret, new Date('2026-11-23T09:00:00.900Z'));
  expect(secret).toBe('whsec_YW4gZXhhbXBsZSBvZiBhIHNlY3JldCwgMzIgYnl0ZXM=');
  expect(body).toBe('{"type":"ping","timestamp":"2026-11-23T08:00:00.000Z","data":{"über":"ça 碳"}}');
  expect(headers).toEqual({
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1795424400',
    // printf 'msg_1.1795424400.BODY' | openssl dgst -sha256 -hmac 'an example of a secret, 32 bytes' -binary | base64
    'webhook-signature': 'v1,WAKjSniC0rewbhWrOCT5nfLAocVIUTpZUYMI9yqAD6E=',
  });
});
