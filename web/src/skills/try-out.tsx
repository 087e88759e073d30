import { shownJson } from '@palabre/text/browser.js';
import { useState } from 'react';
import { useMutation } from 'urql';

import type { TryHttpSkillMutation } from '../gql/graphql.js';
import { t } from '../i18n/catalogue.js';
import { submits, TextArea } from '../parts/form.js';
import { Failure, FailureText } from '../parts/states.js';
import { tryMutation } from './skills-operations.js';

/** Calls a service once, as an assistant would, and shows what went there and what came back. */
export function TryOut({ skill }: { skill: string }) {
  const [given, setGiven] = useState('{}');
  const [isNoObject, setIsNoObject] = useState(false);
  const [{ data, error, fetching }, call] = useMutation(tryMutation);
  const submit = (): void => {
    const parsed = objectIn(given);
    setIsNoObject(parsed === null);
    if (parsed) void call({ key: skill, arguments: parsed });
  };
  return (
    <details>
      <summary>{t('skills.try')}</summary>
      <form className="access" onSubmit={submits(submit)}>
        <TextArea
          label={t('skills.try.arguments')}
          className="data"
          rows={4}
          spellCheck={false}
          value={given}
          onChange={setGiven}
        />
        <p className="soft small">{t('skills.try.hint')}</p>
        {isNoObject && <FailureText text={t('skills.try.noObject')} />}
        {error && <Failure error={error} />}
        <div className="actions">
          <button type="submit" className="button" disabled={fetching}>
            {t('skills.try.do')}
          </button>
        </div>
        {data && <Trial trial={data.tryHttpSkill} />}
      </form>
    </details>
  );
}

function Trial({ trial }: { trial: TryHttpSkillMutation['tryHttpSkill'] }) {
  const { request, response, error, result, durationMs } = trial;
  return (
    <div role="status" className="access">
      {request && <p className="small called-address">{`${request.method} ${request.url}`}</p>}
      {response && (
        <p className="soft small">
          {t('skills.try.answered', { status: response.status, ms: durationMs, bytes: response.bytes })}
        </p>
      )}
      {error === null ? <pre className="data">{shownJson(result)}</pre> : <p className="problem">{error}</p>}
      {error !== null && response && response.excerpt !== '' && (
        <pre className="data">{response.excerpt}</pre>
      )}
    </div>
  );
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
