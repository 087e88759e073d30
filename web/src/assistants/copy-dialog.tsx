import { useState } from 'react';
import { useMutation } from 'urql';

import { t } from '../i18n/catalogue.js';
import { Dialog } from '../parts/dialog.js';
import { FormActions } from '../parts/form.js';
import { Failure } from '../parts/states.js';
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
    <Dialog title={t('assistants.copyOf', { name: original.name })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <KeyAndName newKey={newKey} setKey={setNewKey} name={name} setName={setName} />
        {error && <Failure error={error} />}
        <FormActions isBusy={fetching} onCancel={onClose} />
      </form>
    </Dialog>
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
      <label className="field">
        <span>{t('assistants.name')}</span>
        <input required maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label className="field">
        <span>{t('assistants.key')}</span>
        <input
          required
          maxLength={64}
          pattern="[a-z0-9_\-]+"
          title={t('assistants.keyHint')}
          value={newKey}
          onChange={({ target }) => setKey(target.value)}
        />
      </label>
    </>
  );
}
