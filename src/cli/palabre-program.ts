import { Command, InvalidArgumentError, Option } from 'commander';

import { localSecret } from '../auth/local-secret.js';
import { signToken } from '../auth/token-signer.js';
import { tokenRoles, type TokenRole, TokenVerifier } from '../auth/token-verifier.js';
import { DomainError } from '../common/errors/domain-error.js';
import { readConfig } from '../config/config.js';
import { parseDuration } from './duration.js';
import { exitCodes, speakThrough, type Terminal, usageExitCode, wordsOf } from './terminal.js';

interface TokenOptions {
  company: string;
  email: string;
  role: TokenRole;
  name?: string;
  sub?: string;
  ttl: number;
}

interface CompanyOptions {
  slug: string;
  name: string;
  country?: string;
  language?: string;
  sector?: string;
}

/** Runs the operator's command line and gives the exit code. */
export const runPalabre = async (commandLine: readonly string[], terminal: Terminal): Promise<number> => {
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
};

/** The option whose value is refused: they are called as the fields are that they fill. */
const optionOf = (error: unknown): string | null => {
  const argument = error instanceof DomainError && error.extensions.argument;
  return typeof argument === 'string' ? argument : null;
};

const palabreProgram = (terminal: Terminal): Command => {
  const program = speakThrough(new Command('palabre'), terminal).description(
    "The operator's commands. Settings come from the environment, as the server's do.",
  );
  program
    .command('token')
    .description('print a bearer token, signed with the secret of this installation')
    .requiredOption('--company <slug>', 'the company that the bearer belongs to')
    .requiredOption('--email <address>', 'the address of the bearer', emailAddress)
    .requiredOption('--role <role>', tokenRoles.join(', '), role)
    .option('--name <name>', 'how the bearer is called (default: the address)')
    .option('--sub <subject>', 'what identifies the bearer (default: the address)')
    .addOption(
      new Option('--ttl <duration>', 'how long the token holds: 30s, 15m, 1h, 7d')
        .argParser(duration)
        .default(3600, '1h'),
    )
    .action(async (options: TokenOptions) => terminal.out(`${await makeToken(terminal, options)}\n`));
  addCompanyCommand(program, terminal);
  addSkillsCommand(program, terminal);
  program
    .command('migrate')
    .description('bring the database to the newest migration')
    .action(() => migrate(terminal));
  return program;
};

const addCompanyCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('company')
    .description('companies of this installation')
    .command('create')
    .description('create a company')
    .requiredOption('--slug <slug>', 'what tokens call the company by')
    .requiredOption('--name <name>', 'what people call the company by')
    .option('--country <code>', 'two letters, as SN (ISO 3166-1)')
    .option('--language <tag>', 'as fr (BCP 47)')
    .option('--sector <sector>', 'what the company does')
    .action((options: CompanyOptions) => createCompany(terminal, options));

const addSkillsCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('skills')
    .description('SKILL.md packs')
    .command('check')
    .description(
      'check a pack, a folder of packs or an archive of them by the letter of the Agent Skills format',
    )
    .argument('<path>', 'a folder, or a .zip or .skill file')
    .action((path: string) => checkSkills(terminal, path));

const makeToken = async ({ env }: Terminal, options: TokenOptions): Promise<string> => {
  const { auth, dataDir } = readConfig(env);
  if (auth.jwksUrl) {
    throw new DomainError(
      'CONFLICT',
      'Tokens come from your identity provider, as AUTH_JWKS_URL is set. This command can sign none.',
    );
  }
  const secret = auth.secret ?? (await localSecret(dataDir));
  const { company, email, role, name, sub = email, ttl } = options;
  const token = await signToken(secret, { sub, company, role, name, email }, ttl, auth);
  // What the server would refuse is better refused here.
  await new TokenVerifier({ secret }, auth).verify(token);
  return token;
};

// The database is loaded only by the commands that need it: `token` is run in scripts and should be quick.
const createCompany = async (terminal: Terminal, options: CompanyOptions): Promise<void> => {
  const database = await import('./with-database.js');
  const company = await database.createCompany(readConfig(terminal.env), options);
  terminal.out(`Created the company ${company.name} (slug ${company.slug}, id ${company.id}).\n`);
};

const checkSkills = async (terminal: Terminal, path: string): Promise<void> => {
  const { checkPacks } = await import('./check-packs.js');
  const checked = await checkPacks(path);
  for (const { path: pack, faults } of checked) {
    terminal.out(faults.length === 0 ? `${pack}: in order\n` : `${pack}:\n${faults.map(asItem).join('')}`);
  }
  const faulty = checked.filter(({ faults }) => faults.length > 0).length;
  if (faulty > 0) throw new DomainError('BAD_USER_INPUT', `${faulty} of ${checked.length} are not in order.`);
};

const asItem = (fault: string): string => `  - ${fault}\n`;

const migrate = async (terminal: Terminal): Promise<void> => {
  const database = await import('./with-database.js');
  await database.migrate(readConfig(terminal.env));
  terminal.out('The database is at the newest migration.\n');
};

const emailAddress = (text: string): string => {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new InvalidArgumentError('Give an address such as a@example.org.');
};

const role = (text: string): TokenRole => {
  const found = tokenRoles.find((each) => each === text.toUpperCase());
  if (found) return found;
  throw new InvalidArgumentError(`Give one of ${tokenRoles.join(', ')}.`);
};

const duration = (text: string): number => {
  const seconds = parseDuration(text);
  if (seconds !== null) return seconds;
  throw new InvalidArgumentError('Give a duration such as 30s, 15m, 1h or 7d, at most 365d.');
};
