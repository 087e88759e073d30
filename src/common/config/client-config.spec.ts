import { readClientConfig } from './client-config.js';

describe('readClientConfig', () => {
  it('asks the server of this machine as the demo company', () => {
    expect(readClientConfig({ PORT: '4100' })).toMatchObject({
      serverUrl: 'http://localhost:4100',
      token: null,
      companySlug: 'demo',
      plain: false,
    });
  });

  it('is not stopped by a setting of the server alone', () => {
    const env = { LLM_BASE_URL: 'nonsense', PALABRE_URL: 'https://palabre.example.org/', NO_COLOR: '1' };
    expect(readClientConfig(env)).toMatchObject({ serverUrl: 'https://palabre.example.org', plain: true });
  });

  it('refuses an address that is none', () => {
    expect(() => readClientConfig({ PALABRE_URL: 'palabre.example.org' })).toThrow(
      'PALABRE_URL must be an address that begins with http:// or https://.',
    );
  });
});
