import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Dialog } from '../parts/dialog.js';
import { Field, submits, TextArea } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import {
  type ListedAssistant,
  type PromptVersion,
  publishPromptMutation,
  rollbackPromptMutation,
} from './assistants-operations.js';
import { lineDifferences } from './line-differences.js';

/** What is put in the place of each name. */
const VARIABLES = [
  'date',
  'name',
  'language',
  'profile',
  'initial_context_title',
  'initial_context_description',
  'skill',
] as const;

interface PromptEditorProps {
  assistant: ListedAssistant;
  refresh: () => void;
}

/** The prompt in force, to be changed and published, and those of before. */
export function PromptEditor({ assistant, refresh }: PromptEditorProps) {
  const { key, prompt } = assistant;
  const [template, setTemplate] = useState(prompt?.template ?? '');
  const [note, setNote] = useState('');
  const [compared, setCompared] = useState<PromptVersion | null>(null);
  const [{ fetching, error }, publish] = useMutation(publishPromptMutation);
  const save = async (): Promise<void> => {
    const { error: refused } = await publish({
      assistantKey: key,
      template,
      note: note.trim() === '' ? null : note,
    });
    if (!refused) refresh();
  };
  return (
    <section className="prompt" aria-label={t('prompt.title')}>
      <h3>{t('prompt.title')}</h3>
      <form onSubmit={submits(save)}>
        <TextArea label={t('prompt.text')} rows={16} required value={template} onChange={setTemplate} />
        <p className="soft small">
          {t('prompt.variables')} <code>{VARIABLES.map((variable) => `{${variable}}`).join(' ')}</code>
        </p>
        <Field label={t('prompt.note')} maxLength={500} value={note} onChange={setNote} />
        {error && <Failure error={error} />}
        <div className="actions">
          <button type="submit" className="button main" disabled={fetching || template === prompt?.template}>
            {t('prompt.publish')}
          </button>
        </div>
      </form>
      <Versions assistant={assistant} compare={setCompared} />
      {compared && (
        <VersionDialog
          assistant={assistant}
          version={compared}
          template={template}
          onClose={() => setCompared(null)}
          onRolledBack={refresh}
        />
      )}
    </section>
  );
}

interface VersionsProps {
  assistant: ListedAssistant;
  compare: (version: PromptVersion) => void;
}

function Versions({ assistant: { prompt, promptHistory }, compare }: VersionsProps) {
  return (
    <>
      <h3>{t('prompt.versions')}</h3>
      <ol className="plain rows" reversed>
        {promptHistory.map((version) => (
          <li key={version.version} className="version">
            <button type="button" className="link" onClick={() => compare(version)}>
              {t('prompt.version', { version: version.version })}
            </button>
            <span className="soft small">
              {[
                version.publishedBy,
                version.publishedAt === null ? null : momentOf(version.publishedAt),
                version.note,
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
            {version.version === prompt?.version && <span className="tag good">{t('prompt.inForce')}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

interface VersionDialogProps {
  assistant: ListedAssistant;
  version: PromptVersion;
  /** What stands in the editor. */
  template: string;
  onClose: () => void;
  onRolledBack: () => void;
}

function VersionDialog({ assistant, version, template, onClose, onRolledBack }: VersionDialogProps) {
  const [{ fetching, error }, rollBack] = useMutation(rollbackPromptMutation);
  const back = async (): Promise<void> => {
    const { error: refused } = await rollBack({ assistantKey: assistant.key, version: version.version });
    if (refused) return;
    onRolledBack();
    onClose();
  };
  return (
    <Dialog title={t('prompt.version', { version: version.version })} onClose={onClose} className="wide">
      <div className="content">
        <p className="soft small">{t('prompt.differences')}</p>
        <pre className="data differences">
          {lineDifferences(version.template, template).map(({ text, change }, index) => (
            <span key={index} className={change}>
              {`${{ same: ' ', added: '+', removed: '−' }[change]} ${text}\n`}
            </span>
          ))}
        </pre>
        {error && <Failure error={error} />}
        <div className="actions">
          <button
            type="button"
            className="button"
            disabled={fetching || version.version === assistant.prompt?.version}
            onClick={() => void back()}
          >
            {t('prompt.rollBack')}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
