import { type AskedTurn, createPalabre, type TurnState } from '@palabre/client';

function element(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

// The attributes data-url and data-token of <html>. A page that comes from the server itself needs no address.
const { url, token } = document.documentElement.dataset;
const palabre = createPalabre({ ...(url && { url }), token: token ?? null });

function show({ status, detail, text }: TurnState): void {
  element('#status').textContent = [status, detail].filter(Boolean).join(': ');
  element('output').textContent = text;
}

let turn: AskedTurn | null = null;
element('#stop').addEventListener('click', () => void turn?.cancel());

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const question = element('[name=question]') as HTMLInputElement;
  ask(question.value).catch((error: unknown) => {
    element('#status').textContent = String(error);
  });
});

async function ask(message: string): Promise<void> {
  turn = palabre.ask({ assistantKey: 'mefali', message });
  element('#stop').removeAttribute('disabled');
  for await (const _event of turn) show(turn.state);
  element('#stop').setAttribute('disabled', '');
}
