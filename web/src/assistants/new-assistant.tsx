import { useState } from 'react';
import { useMutation } from 'urql';

import type { Strategy } from '../gql/graphql.js';
import { language, languages, t } from '../i18n/catalogue.js';
import { Choice, FormDialog, TextArea } from '../parts/form.js';
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
    <FormDialog title={t('assistants.make')} onSave={save} isBusy={fetching} error={error} onClose={onClose}>
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
      <TextArea label={t('prompt.text')} rows={6} required value={template} onChange={setTemplate} />
    </FormDialog>
  );
}
