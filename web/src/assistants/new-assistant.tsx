import { useState } from 'react';
import { useMutation } from 'urql';

import type { Strategy } from '../gql/graphql.js';
import { language, languages, t } from '../i18n/catalogue.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, FormActions } from '../parts/form.js';
import { Failure } from '../parts/states.js';
import { createAssistantMutation } from './assistants-operations.js';
import { KeyAndName } from './copy-dialog.js';

const STRATEGIES = ['REACTIVE', 'PLANNED', 'GROUNDED'] as const satisfies Strategy[];

export function NewAssistant({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const [spoken, setSpoken] = useState<string>(language());
  const [strategy, setStrategy] = useState<Strategy>('REACTIVE');
  const [template, setTemplate] = useState('');
  const [{ fetching, error }, create] = useMutation(createAssistantMutation);
  const save = async (): Promise<void> => {
    const { data } = await create({ input: { key, name, language: spoken, strategy, template } });
    if (!data) return;
    onMade(data.createAssistant.key);
    onClose();
  };
  return (
    <Dialog title={t('assistants.make')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <KeyAndName newKey={key} setKey={setKey} name={name} setName={setName} />
        <Choice
          label={t('preferences.language')}
          options={Object.entries(languages)}
          value={spoken}
          onChoose={setSpoken}
        />
        <Choice
          label={t('assistants.strategy')}
          options={STRATEGIES.map((one) => [one, t(`strategy.${one}`)])}
          value={strategy}
          onChoose={setStrategy}
        />
        <label className="field">
          <span>{t('prompt.text')}</span>
          <textarea rows={6} required value={template} onChange={({ target }) => setTemplate(target.value)} />
        </label>
        {error && <Failure error={error} />}
        <FormActions isBusy={fetching} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
