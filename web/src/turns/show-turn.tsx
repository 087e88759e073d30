import { shownJson } from '@palabre/text/browser.js';
import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Field, submits } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import { type ShownTurn, showTurnMutation } from './turns-operations.js';
import { SkillName } from './waterfall.js';

/** What was said is shown to whoever says why, which the audit keeps. */
export function ShowTurn({ id }: { id: string }) {
  const [reason, setReason] = useState('');
  const [{ data, error, fetching }, show] = useMutation(showTurnMutation);
  return (
    <section className="turn-said" aria-label={t('turns.said')}>
      <h3>{t('turns.said')}</h3>
      <div className="turn-said" aria-live="polite">
        {data && <Said turn={data.showTurn} />}
      </div>
      {!data && (
        <form className="turn-said" onSubmit={submits(() => show({ id, reason }))}>
          <p className="soft">{t('turns.hidden')}</p>
          <Field label={t('turns.why')} required value={reason} onChange={setReason} />
          {error && <Failure error={error} />}
          <div className="actions">
            <button type="submit" className="button main" disabled={fetching || reason.trim() === ''}>
              {t('turns.show')}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}

function Said({ turn: { question, answer, skillCalls, modelCalls } }: { turn: ShownTurn }) {
  return (
    <>
      <Words title={t('turns.question')} text={question} />
      <Words title={t('turns.answer')} text={answer ?? t('turns.noAnswer')} />
      {skillCalls.map(({ id, skill, arguments: given, resultPreview }) => (
        <details key={id}>
          <summary>
            <SkillName skill={skill} />
          </summary>
          <Words title={t('steps.arguments')} text={shownJson(given)} />
          {resultPreview !== null && <Words title={t('turns.result')} text={resultPreview} />}
        </details>
      ))}
      {modelCalls.map(({ id, purpose, model, messages }) => (
        <details key={id}>
          <summary>
            {t('turns.prompt', {
              call: t('turns.modelCall', { purpose: t(`turns.purpose.${purpose}`), model }),
            })}
          </summary>
          <pre className="data">{shownJson(messages)}</pre>
        </details>
      ))}
    </>
  );
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h4>{title}</h4>
      <pre className="data">{text}</pre>
    </>
  );
}
