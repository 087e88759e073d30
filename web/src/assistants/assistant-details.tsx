import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Field, submits } from '../parts/form.js';
import { Icon } from '../parts/icons.js';
import { Failure } from '../parts/states.js';
import {
  archiveAssistantMutation,
  type ListedAssistant,
  updateAssistantMutation,
} from './assistants-operations.js';
import { CopyDialog } from './copy-dialog.js';
import { PromptEditor } from './prompt-editor.js';

interface AssistantDetailsProps {
  assistant: ListedAssistant;
  refresh: () => void;
  show: (key: string) => void;
}

export function AssistantDetails({ assistant, refresh, show }: AssistantDetailsProps) {
  const { key, name, archived } = assistant;
  const [isCopying, setIsCopying] = useState(false);
  const [{ fetching, error }, archive] = useMutation(archiveAssistantMutation);
  return (
    <section className="assistant" aria-label={name}>
      <header className="page-head">
        <h2>{name}</h2>
        <div className="actions">
          <button type="button" className="button" onClick={() => setIsCopying(true)}>
            <Icon name="copy" />
            {t('assistants.copy')}
          </button>
          <button
            type="button"
            className="button"
            disabled={fetching}
            onClick={() => void archive({ key, archived: !archived })}
          >
            <Icon name="archive" />
            {archived ? t('assistants.unarchive') : t('assistants.archive')}
          </button>
        </div>
      </header>
      {archived && <p className="notice wait">{t('assistants.archivedText')}</p>}
      {error && <Failure error={error} />}
      <Settings assistant={assistant} refresh={refresh} />
      <PromptEditor assistant={assistant} refresh={refresh} />
      {isCopying && (
        <CopyDialog
          original={assistant}
          onClose={() => setIsCopying(false)}
          onMade={(made) => {
            refresh();
            show(made);
          }}
        />
      )}
    </section>
  );
}

const LIMITS = ['maxSteps', 'maxSeconds', 'maxOutputTokens'] as const;

function Settings({ assistant, refresh }: Omit<AssistantDetailsProps, 'show'>) {
  const { key, budget } = assistant;
  const [name, setName] = useState(assistant.name);
  const [model, setModel] = useState(assistant.model ?? '');
  const [limits, setLimits] = useState(budget);
  const [reasons, setReasons] = useState(assistant.showsReasoning);
  const [{ fetching, error }, update] = useMutation(updateAssistantMutation);
  const save = async (): Promise<void> => {
    const { maxSteps, maxSeconds, maxOutputTokens } = limits;
    const input = { name, model: model === '' ? null : model, showsReasoning: reasons };
    const { error: refused } = await update({
      key,
      input: { ...input, maxSteps, maxSeconds, maxOutputTokens },
    });
    if (!refused) refresh();
  };
  return (
    <form className="card settings" onSubmit={submits(save)}>
      <Field label={t('assistants.name')} required value={name} onChange={setName} />
      <Field
        label={t('assistants.model')}
        value={model}
        placeholder={t('assistants.defaultModel')}
        onChange={setModel}
      />
      {LIMITS.map((limit) => (
        <label key={limit} className="field">
          <span>{t(`assistants.${limit}`)}</span>
          <input
            type="number"
            min="1"
            value={limits[limit]}
            onChange={({ target }) => setLimits({ ...limits, [limit]: Number(target.value) })}
          />
        </label>
      ))}
      <label className="choice">
        <input type="checkbox" checked={reasons} onChange={({ target }) => setReasons(target.checked)} />
        {t('assistants.showsReasoning')}
      </label>
      {error && <Failure error={error} />}
      <div className="actions">
        <button type="submit" className="button" disabled={fetching}>
          {t('action.save')}
        </button>
      </div>
    </form>
  );
}
