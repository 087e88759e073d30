import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Field, FormDialog } from '../parts/form.js';
import { copyAssistantMutation, type ListedAssistant } from './assistants-operations.js';

interface CopyDialogProps {
  original: ListedAssistant;
  onClose: () => void;
  onMade: (key: string) => void;
}

export function CopyDialog({ original, onClose, onMade }: CopyDialogProps) {
  const [newKey, setNewKey] = useState('');
  const [name, setName] = useState('');
  const [{ fetching, error }, copy] = useMutation(copyAssistantMutation);
  const save = async (): Promise<void> => {
    const { data } = await copy({ key: original.key, newKey, name });
    if (!data) return;
    onMade(data.copyAssistant.key);
    onClose();
  };
  return (
    <FormDialog
      title={t('assistants.copyOf', { name: original.name })}
      onSave={save}
      isBusy={fetching}
      error={error}
      onClose={onClose}
    >
      <KeyAndName newKey={newKey} setKey={setNewKey} name={name} setName={setName} />
    </FormDialog>
  );
}

interface KeyAndNameProps {
  newKey: string;
  setKey: (key: string) => void;
  name: string;
  setName: (name: string) => void;
}

export function KeyAndName({ newKey, setKey, name, setName }: KeyAndNameProps) {
  return (
    <>
      <Field label={t('assistants.name')} required maxLength={100} value={name} onChange={setName} />
      <Field
        label={t('assistants.key')}
        required
        maxLength={64}
        pattern="[a-z0-9_\-]+"
        title={t('assistants.keyHint')}
        value={newKey}
        onChange={setKey}
      />
    </>
  );
}
