import { Command, InvalidArgumentError } from 'commander';
import { exitCodes, type Terminal, usageExitCode, useTerminal, wordsOf } from '@palabre/cli';

import { localSecret } from '../../companies/auth/local-secret.js';
import { signToken } from '../../companies/auth/token-signer.js';
import { type Role, roles } from '../../companies/auth/viewer.js';
import { TokenVerifier } from '../../companies/auth/token-verifier.js';
import { badInput, DomainError } from '../../common/errors/domain-error.js';
import { readConfig } from '../../common/config/read-config.js';

const TTL_SECONDS = 3600;

interface TokenOptions {
  company: string;
  email: string;
  role: Role;
  name?: string;
  sub?: string;
  ttl?: number;
}

interface ErasureOptions {
  slug: string;
  confirm?: string;
}

interface CompanyOptions {
  slug: string;
  name: string;
  country?: string;
  language?: string;
  sector?: string;
}

/** Runs the operator's command line and gives the exit code. */
export async function runPalabre(commandLine: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await palabreProgram(terminal).parseAsync(commandLine, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const usage = usageExitCode(error);
    if (usage !== null) return usage;
    const option = optionOf(error);
    terminal.error(`${option ? `error: option '--${option}': ` : ''}${wordsOf(error)}\n`);
    return option ? exitCodes.usage : exitCodes.failed;
  }
}

/** The option whose value was refused. Options have the names of the fields that they fill. */
function optionOf(error: unknown): string | null {
  const argument = error instanceof DomainError && error.extensions.argument;
  return typeof argument === 'string' ? argument : null;
}

function palabreProgram(terminal: Terminal): Command {
  const program = useTerminal(new Command('palabre'), terminal).description(
    "The operator's commands. Settings come from the environment, as the server's do.",
  );
  program
    .command('token')
    .description('print a bearer token, signed with the secret of this installation')
    .requiredOption('--company <slug>', 'the company that the bearer belongs to')
    .requiredOption('--email <address>', 'the address of the bearer', emailAddress)
    .requiredOption('--role <role>', roles.join(', '), role)
    .option('--name <name>', 'how the bearer is called (default: the address)')
    .option('--sub <subject>', 'what identifies the bearer (default: the address)')
    .option('--ttl <duration>', 'how long the token holds: 30s, 15m, 8h (default: 1h)', duration)
    .action(async (options: TokenOptions) => terminal.out(`${await makeToken(terminal, options)}\n`));
  addCompanyCommand(program, terminal);
  addSkillsCommand(program, terminal);
  program
    .command('migrate')
    .description('bring the database to the newest migration')
    .action(() => migrate(terminal));
  program
    .command('encrypt-anew')
    .description("encrypt companies' secrets with ENCRYPTION_KEY that one of ENCRYPTION_KEYS_OLD encrypts")
    .action(() => reencryptSecrets(terminal));
  program
    .command('doctor')
    .description('look at the settings and at all that a server needs, and say what to do')
    .option('--json', 'as JSON')
    .action((options: { json?: true }) => doctor(terminal, options));
  return program;
}

function addCompanyCommand(program: Command, terminal: Terminal): void {
  const company = program.command('company').description('companies of this installation');
  company
    .command('create')
    .description('create a company')
    .requiredOption('--slug <slug>', 'what tokens call the company by')
    .requiredOption('--name <name>', 'what people call the company by')
    .option('--country <code>', 'two letters, as SN (ISO 3166-1)')
    .option('--language <tag>', 'as fr (BCP 47)')
    .option('--sector <sector>', 'what the company does')
    .action((options: CompanyOptions) => createCompany(terminal, options));
  company
    .command('erase')
    .description('erase a company with all that is its own, for good')
    .requiredOption('--slug <slug>', 'what tokens call the company by')
    .option('--confirm <slug>', 'the slug once more, for scripts: it is asked for otherwise')
    .action((options: ErasureOptions) => eraseCompany(terminal, options));
}

function addSkillsCommand(program: Command, terminal: Terminal): Command {
  return program
    .command('skills')
    .description('SKILL.md packs')
    .command('check')
    .description(
      'check a pack, a folder of packs or an archive of them by the letter of the Agent Skills format',
    )
    .argument('<path>', 'a folder, or a .zip or .skill file')
    .action((path: string) => checkSkills(terminal, path));
}

async function makeToken({ env }: Terminal, options: TokenOptions): Promise<string> {
  const { auth, dataDir } = readConfig(env);
  if (auth.jwksUrl) {
    throw new DomainError(
      'CONFLICT',
      'Tokens come from your identity provider, as AUTH_JWKS_URL is set. This command can sign none.',
    );
  }
  const secret = auth.secret ?? (await localSecret(dataDir));
  const { maxTokenSeconds } = auth;
  const { company, email, role, name, sub = email, ttl = Math.min(TTL_SECONDS, maxTokenSeconds) } = options;
  if (ttl > maxTokenSeconds) {
    const most = `at most ${maxTokenSeconds / 3600} hours, which AUTH_MAX_TOKEN_HOURS sets`;
    throw badInput(['ttl'], `Tokens last ${most}. For a program, make an API key instead.`);
  }
  const token = await signToken(secret, { sub, company, role, name, email }, ttl, auth);
  // Refuses early what the server would refuse.
  await new TokenVerifier({ secret }, auth).verify(token);
  return token;
}

// The database is loaded only by the commands that need it: `token` is run in scripts and should be quick.
async function createCompany(terminal: Terminal, options: CompanyOptions): Promise<void> {
  const database = await import('./database-commands.js');
  const company = await database.createCompany(readConfig(terminal.env), options);
  terminal.out(`Created the company ${company.name} (slug ${company.slug}, id ${company.id}).\n`);
}

async function eraseCompany(terminal: Terminal, { slug, confirm }: ErasureOptions): Promise<void> {
  const question = `All that is the company's will be gone for good. Type ${slug} to go on: `;
  const confirmation = confirm ?? (await terminal.ask?.(question)) ?? '';
  const database = await import('./database-commands.js');
  const { id, finishedAt } = await database.eraseCompany(readConfig(terminal.env), {
    slug,
    confirmation: confirmation.trim(),
  });
  const state = finishedAt
    ? 'was erased already'
    : 'cannot be entered any more; its data are removed by the next process with ROLE all or worker';
  terminal.out(`The company ${slug} (id ${id}) ${state}.\n`);
}

async function checkSkills(terminal: Terminal, path: string): Promise<void> {
  const { checkPacks } = await import('./check-packs.js');
  const checked = await checkPacks(path);
  for (const { path: pack, faults } of checked)
    terminal.out(faults.length === 0 ? `${pack}: in order\n` : `${pack}:\n${faults.map(asItem).join('')}`);
  const faulty = checked.filter(({ faults }) => faults.length > 0).length;
  if (faulty > 0)
    throw new DomainError('BAD_USER_INPUT', `${faulty} of ${checked.length} packs have faults.`);
}

function asItem(fault: string): string {
  return `  - ${fault}\n`;
}

async function migrate(terminal: Terminal): Promise<void> {
  const database = await import('./database-commands.js');
  await database.migrate(readConfig(terminal.env));
  terminal.out('The database is at the newest migration.\n');
}

async function reencryptSecrets(terminal: Terminal): Promise<void> {
  const database = await import('./database-commands.js');
  const { done, unreadable } = await database.reencryptCompanySecrets(readConfig(terminal.env));
  terminal.out(`Encrypted ${done} secrets anew.\n`);
  if (unreadable === 0) return;
  throw new DomainError(
    'CONFLICT',
    `${unreadable} secrets cannot be read with any of the keys, and stay as they are. Name the key in ENCRYPTION_KEYS_OLD, and run this again.`,
  );
}

async function doctor(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  const { examine, findingsAsText } = await import('./doctor.js');
  const findings = await examine(terminal.env);
  const problems = findings.filter(({ status }) => status === 'problem').length;
  terminal.out(
    json ? `${JSON.stringify({ ok: problems === 0, findings }, null, 2)}\n` : findingsAsText(findings),
  );
  if (problems === 0) return;
  throw new DomainError(
    'CONFLICT',
    problems === 1 ? 'There is a problem.' : `There are ${problems} problems.`,
  );
}

function emailAddress(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new InvalidArgumentError('Give an address such as a@example.org.');
}

function role(text: string): Role {
  const found = roles.find((each) => each === text.toUpperCase());
  if (found) return found;
  throw new InvalidArgumentError(`Give one of ${roles.join(', ')}.`);
}

function duration(text: string): number {
  const seconds = parseDuration(text);
  if (seconds !== null) return seconds;
  throw new InvalidArgumentError('Give a duration such as 30s, 15m, 1h or 7d, at most 365d.');
}

const secondsIn = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

const MAX_DAYS = 365;

/** Seconds in a duration such as 30s, 15m, 1h or 7d. Null: invalid, or longer than 365 days. */
export function parseDuration(text: string): number | null {
  const [, digits, unit] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? [];
  if (!digits || !unit) return null;
  const seconds = Number(digits) * secondsIn[unit as keyof typeof secondsIn];
  return seconds <= MAX_DAYS * secondsIn.d ? seconds : null;
}
