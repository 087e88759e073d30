import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { signToken } from '../../src/companies/auth/token-signer.js';
import type { Role } from '../../src/companies/auth/viewer.js';
import { SECRET } from './start-app.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface ConsoleOptions {
  path?: string;
  sub?: string;
  company?: string;
  role?: Role;
  language?: string;
  scheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** Hosts that pages may go to besides the server's. */
  hosts?: readonly string[];
}

/** A browser for the tests of one file, and what its pages must never do. */
export class ConsoleBrowser implements AsyncDisposable {
  /** What pages asked of other hosts, and what they were refused or threw. */
  private readonly problems: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async launch(): Promise<ConsoleBrowser> {
    if (!existsSync(CHROMIUM)) {
      throw new Error(`There is no Chromium at ${CHROMIUM}: install it, or say by CHROMIUM where it is.`);
    }
    // Chromium refuses to work for root in its sandbox.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return new ConsoleBrowser(await chromium.launch({ executablePath: CHROMIUM, args }));
  }

  /** A window of somebody's own, without a token. */
  async window(url: string, options: ConsoleOptions = {}): Promise<BrowserContext> {
    const { language = 'en', scheme = 'light', width = 1280, height = 860, hosts = [] } = options;
    const context = await this.browser.newContext({
      locale: language,
      colorScheme: scheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
    });
    context.on('request', (request) => {
      const { host, protocol } = new URL(request.url());
      const isOwn = [new URL(url).host, ...hosts].includes(host) || ['data:', 'blob:'].includes(protocol);
      if (!isOwn) this.problems.push(`asked for ${request.url()}`);
    });
    context.on('weberror', (error) => void this.problems.push(String(error.error())));
    context.on('console', (message) => {
      const text = message.text();
      // A connection that is lost is what some tests are about.
      if (
        message.type() === 'error' &&
        !/net::ERR_|Failed to load resource|WebSocket connection/.test(text)
      ) {
        this.problems.push(text);
      }
    });
    return context;
  }

  /** The console, signed in by a link. */
  async open(url: string, options: ConsoleOptions = {}): Promise<Page> {
    const { path = '/', sub = 'ada', company = 'demo', role = 'ADMIN' } = options;
    const context = await this.window(url, options);
    const token = await signToken(SECRET, { sub, company, role, name: 'Ada Diop' }, 3600);
    const page = await context.newPage();
    await page.goto(`${url}${path}#token=${token}`);
    return page;
  }

  /** After each test. */
  checkProblems(): void {
    const problems = this.problems.splice(0);
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
  }
}

/** What of WCAG 2.2 AA the page violates, as it stands: each rule with the first element. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run(document, { runOnly: { type: 'tag', values } });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''} ${nodes[0]?.failureSummary ?? ''}`,
    );
  });
}

/** By how many pixels the page is wider than its window. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    const widest = [...document.querySelectorAll('main, .scroller, .page, .screen')].map(
      (element) => element.scrollWidth - element.clientWidth,
    );
    return Math.max(document.documentElement.scrollWidth - innerWidth, ...widest);
  });
}
