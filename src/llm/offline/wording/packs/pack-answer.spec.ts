import { describe, expect, it } from '@jest/globals';

import { completionRequest } from '../../server/protocol.js';
import { think } from '../../think.js';

const prompt = [
  'Eres Solven.',
  '### Habilidades que se cargan\nCada una explica cómo hacer bien un tipo de tarea.',
  '#### contratos\n- **contratos/arrendamiento**: Prepara el borrador de un contrato de arrendamiento de inmueble.',
  '### Habilidades cargadas para esta respuesta',
  '<skill_content name="contratos/arrendamiento">\n# Contrato de arrendamiento\n\n## Datos necesarios\n\n- Renta mensual.\n\n### De documentación\n\n- Certificado energético.\n\n## Reglas\n\n- Los documentos que hacen falta se comprueban con la norma vigente.\n\n- Renta en letra y cifra. Si la fianza no es la que corresponde a la clase, se señala.\n</skill_content>',
].join('\n\n');
const load = { type: 'function', function: { name: 'load_skill', parameters: { type: 'object' } } };

/** What is answered after a contract was asked for, with its instructions loaded. */
function answerTo(question: string): string {
  const messages = [
    { role: 'system', content: prompt },
    { role: 'user', content: 'Necesito un contrato de alquiler' },
    { role: 'assistant', content: 'Me falta la renta.' },
    { role: 'user', content: question },
  ];
  const reply = think(completionRequest.parse({ model: 'x', messages, tools: [load] }));
  return 'text' in reply ? reply.text : JSON.stringify(reply);
}

describe('a question after instructions were loaded', () => {
  it('is answered by what they say to it', () => {
    const text = answerTo('¿Qué fianza corresponde?');
    expect(text).toContain('- Si la fianza no es la que corresponde a la clase, se señala.');
    expect(text).not.toContain('Renta mensual');
  });

  it('is not answered by them, where they say nothing to it', () => {
    expect(answerTo('¿Cuál es la capital de Francia?')).toContain('Ninguna de mis habilidades');
  });

  it('is answered by the list of papers, where it asks which are needed', () => {
    const text = answerTo('¿Qué documentos hacen falta para el contrato de arrendamiento?');
    expect(text).toContain('- Certificado energético.');
    expect(text).not.toContain('se comprueban');
    expect(answerTo('¿Qué datos hacen falta para el arrendamiento?')).toContain('Renta mensual');
  });

  it('asks for data where they are asked for', () => {
    expect(answerTo('¿Qué datos faltan?')).toContain('Renta mensual');
  });
});
