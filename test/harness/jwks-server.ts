import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, type GenerateKeyPairResult, type JWTPayload, SignJWT } from 'jose';

const KEY_ID = 'key-1';

/** An identity provider of this machine: it shows its public key, and signs whatever it is given. */
export class JwksServer implements AsyncDisposable {
  private constructor(
    private readonly server: Server,
    private readonly privateKey: GenerateKeyPairResult['privateKey'],
    readonly url: string,
  ) {}

  static async start(): Promise<JwksServer> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' }];
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new JwksServer(server, privateKey, `http://127.0.0.1:${port}/jwks`);
  }

  sign(claims: JWTPayload, keyId = KEY_ID): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setExpirationTime('1h')
      .sign(this.privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
