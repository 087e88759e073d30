import { setTimeout as pause } from 'node:timers/promises';

import { question } from '../question.js';

const TURNS = 50;
/** For what is done after the last answer. */
const UPKEEP_MS = 3_000;
const LONGEST_SHOWN = 150;

/** What opens and ends transactions, or keeps them apart. */
const FRAME = /^(BEGIN|SET LOCAL|SELECT set_config\(|COMMIT|ROLLBACK|EXECUTE palabre_guard)/;

/** Which statements a turn takes, one turn after the other, with what is done after its answer. */
export const statements = {
  name: 'statements',
  title: 'Statements a turn',
  systems: ['postgresql'],
  isOnDemand: true,
  rounds: 1,
  metrics: {
    statements: {
      title: 'statements of the work itself',
      unit: '',
      digits: 1,
      must: 24,
      aim: 16,
      isAbsolute: true,
    },
    tenant: { title: 'transactions of a company', unit: '', digits: 1, must: 3, aim: 2, isAbsolute: true },
    system: { title: 'transactions of the installation', unit: '', digits: 1 },
    frame: { title: 'statements that open and end these', unit: '', digits: 1 },
  },

  async measure(system) {
    const user = system.newUser();
    const asked = () => question({ tokens: 200 });
    for (let turn = 0; turn < 10; turn += 1) await user.turn(asked());
    await pause(UPKEEP_MS);
    await system.process.startStatements();
    for (let turn = 0; turn < TURNS; turn += 1) await user.turn(asked());
    await pause(UPKEEP_MS);
    const counted = Object.entries(await system.process.stopStatements());
    await user.close();
    for (const [text, count] of counted.toSorted(([, a], [, b]) => b - a)) {
      console.log(`${(count / TURNS).toFixed(2).padStart(6)}  ${text.slice(0, LONGEST_SHOWN)}`);
    }
    const perTurn = (isCounted) =>
      counted.reduce((sum, [text, count]) => (isCounted(text) ? sum + count : sum), 0) / TURNS;
    return {
      statements: perTurn((text) => !FRAME.test(text)),
      tenant: perTurn((text) => /palabre_app/.test(text) && FRAME.test(text)),
      system: perTurn((text) => /palabre_system/.test(text) && FRAME.test(text)),
      frame: perTurn((text) => FRAME.test(text)),
    };
  },
};
