import { ServerProcess } from '../harness/server-process.js';
import { makeDataDir } from '../harness/test-database.js';

/** Has the process fail at a signal where nobody catches it. */
function failing(statement: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => { ${statement} });`)}`;
}

it.each([
  ['an exception', "throw new Error('Out of the blue')"],
  ['a rejection', "Promise.reject(new Error('Out of the blue'))"],
])(
  '%s that nobody catches ends the process in good order, with one line that says why',
  async (_, statement) => {
    await using dataDir = await makeDataDir();
    const settings = {
      DATA_DIR: dataDir.path,
      OFFLINE_MODEL_TOKENS_PER_SECOND: '1',
      SHUTDOWN_GRACE_SECONDS: '0',
    };
    await using server = await ServerProcess.start({
      ...settings,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: failing(statement),
    });
    const client = await server.client();
    const { turnId } = await client.ask('Bonjour');
    for await (const { __typename } of client.turnEvents(turnId)) if (__typename === 'TextDelta') break;
    const { code, output } = await server.kill('SIGUSR2');
    const lines = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; msg: string; err?: { message: string } });
    expect(code).toBe(1);
    expect(lines.filter(({ level }) => level === 'fatal')).toMatchObject([
      {
        msg: 'nobody has foreseen this failure: the process ends',
        err: { message: expect.stringContaining('Out of the blue') },
      },
    ]);
    expect(lines.map(({ msg }) => msg)).toContain('turn handed over');
  },
);
