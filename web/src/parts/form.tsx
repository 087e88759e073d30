import type { ComponentProps } from 'react';

import { t } from '../i18n/catalogue.js';

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, text: string])[];
  value: Value;
  onChoose: (value: Value) => void;
  className?: string;
}

/** The browser's own select, which knows its values. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChoose,
  className,
}: ChoiceProps<Value>) {
  return (
    <label className={`field ${className ?? ''}`}>
      <span>{label}</span>
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = options.find(([one]) => one === target.value);
          if (chosen) onChoose(chosen[0]);
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A line of text with its label. */
export function Field({
  label,
  onChange,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps>) {
  return (
    <label className="field">
      <span>{label}</span>
      <input {...input} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

interface FormActionsProps {
  isBusy: boolean;
  onCancel: () => void;
}

/** The end of a form in a dialog. */
export function FormActions({ isBusy, onCancel }: FormActionsProps) {
  return (
    <div className="actions">
      <button type="button" className="button" onClick={onCancel}>
        {t('action.cancel')}
      </button>
      <button type="submit" className="button main" disabled={isBusy}>
        {t('action.save')}
      </button>
    </div>
  );
}
