import { signToken } from '../../src/companies/auth/token-signer.js';
import { ConsoleBrowser, sidewaysScroll, violationsIn } from '../harness/console.js';
import { LocalIdentityProvider } from '../harness/identity-provider.js';
import { SECRET, startApp, type TestApp } from '../harness/start-app.js';

let app: TestApp;
let browser: ConsoleBrowser;

beforeAll(async () => {
  app = await startApp([]);
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
afterEach(() => browser.checkProblems());

function tokenOf(sub: string): Promise<string> {
  return signToken(SECRET, { sub, company: 'demo', role: 'MEMBER', name: 'Awa Ndiaye' }, 3600);
}

it('takes the token of a link out of the address, and keeps it for a reload', async () => {
  const page = await browser.open(app.url);
  await page.getByRole('heading', { name: 'Good to see you, Ada Diop' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await page.reload();
  await page.getByRole('heading', { name: 'Good to see you, Ada Diop' }).waitFor();
});

it.each([
  ['en', 'Sign in', 'Access token'],
  ['fr', 'Connexion', 'Jeton d’accès'],
] as const)(
  'asks in %s for a token where there is none, and goes to what was asked for',
  async (language, title, label) => {
    const context = await browser.window(app.url, { language });
    const page = await context.newPage();
    await page.goto(`${app.url}/inbox`);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByLabel(label).fill(await tokenOf('awa'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Awa Ndiaye/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/inbox');
  },
);

it('says so when a token is not accepted', async () => {
  const page = await (await browser.window(app.url)).newPage();
  await page.goto(`${app.url}/#token=wrong`);
  await page.getByRole('alert').getByText('no longer accepted').waitFor();
});

it('is handed to another tab of the browser, and ended by signing out', async () => {
  const page = await browser.open(app.url);
  const other = await page.context().newPage();
  await other.goto(app.url);
  await other.getByRole('heading', { name: 'Good to see you, Ada Diop' }).waitFor();
  await other.getByRole('button', { name: /Account and display/ }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('speaks another language and shows other colours at once, and the next time', async () => {
  const page = await browser.open(app.url, { width: 400 });
  await page.getByRole('button', { name: /Account and display/ }).click();
  await page.getByLabel('Colours').selectOption('dark');
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  await page.getByLabel('Language').selectOption('zh-Hant');
  await page.getByRole('heading', { name: '很高興見到您，Ada Diop' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: '很高興見到您，Ada Diop' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-Hant');
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

it('says where one can go from an address of nothing', async () => {
  const page = await browser.open(app.url, { path: '/chat/00000000-0000-7000-8000-000000000000' });
  await page.getByText('This is not here any more').waitFor();
});

describe('by the organisation’s provider', () => {
  let provider: LocalIdentityProvider;
  let served: TestApp;
  const person = { sub: 'awa', company: 'demo', role: 'ADMIN', name: 'Awa Ndiaye' };

  beforeAll(async () => {
    provider = await LocalIdentityProvider.start();
    served = await startApp([], provider.settings);
    provider.serve(served.url);
  });
  afterAll(async () => {
    await served[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  beforeEach(() => void (provider.person = person));

  it.each([
    ['en', 'Sign in with Acme', 'Sign out'],
    ['fr', 'Se connecter avec Acme', 'Se déconnecter'],
  ] as const)('comes in, goes on in other tabs, and out again, in %s', async (language, title, out) => {
    const options = { language, width: 400, hosts: [new URL(provider.issuer).host] };
    const context = await browser.window(served.url, options);
    const page = await context.newPage();
    await page.goto(`${served.url}/memory`);
    await page.getByRole('button', { name: title }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: title }).click();
    await page.getByRole('button', { name: /Awa Ndiaye/ }).waitFor();
    expect(page.url()).toBe(`${served.url}/memory`);
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.close();

    const [one, other] = [await context.newPage(), await context.newPage()];
    for (const tab of [one, other]) {
      await tab.goto(`${served.url}/inbox`);
      await tab.getByRole('button', { name: /Awa Ndiaye/ }).click();
    }
    await one.getByRole('button', { name: out }).click();
    await one.waitForURL(`${provider.issuer}/session/end?*`);
    await other.getByRole('button', { name: title }).waitFor();
    await other.reload();
    await other.getByRole('button', { name: title }).waitFor();
  });

  it('goes on where it was when the session is over, and says who may not come in', async () => {
    const hosts = [new URL(provider.issuer).host];
    const context = await browser.window(served.url, { hosts });
    const page = await context.newPage();
    await page.goto(`${served.url}/turns?status=FAILED`);
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.getByRole('heading', { name: 'Turns', exact: true }).waitFor();
    const place = page.url();
    await context.clearCookies({ name: 'palabre-session' });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('alert').getByText('Your session has ended').waitFor();
    provider.person = { ...person, company: 'elsewhere' };
    await context.clearCookies();
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.getByRole('alert').getByText('You may not come in').waitFor();
    expect(place).toContain('/turns?status=FAILED');
    expect(new URL(page.url()).pathname).toBe('/usage');
    provider.person = person;
    await context.clearCookies();
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByText('Sign in with a token').waitFor({ state: 'detached' });
  });

  it('takes a token as well, and says so when signing out does not reach the server', async () => {
    const context = await browser.window(served.url, { hosts: [new URL(provider.issuer).host] });
    const page = await context.newPage();
    await page.goto(`${served.url}/inbox`);
    await page.getByText('Sign in with a token instead').click();
    await page.getByLabel('Access token').fill(await tokenOf('bea'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Awa Ndiaye/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with Acme' }).click();
    await page.getByRole('button', { name: /Awa Ndiaye/ }).waitFor();
    await context.setOffline(true);
    await page.getByRole('button', { name: /Awa Ndiaye/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').getByText('The server cannot be reached').first().waitFor();
  });
});
