import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Contact } from '../../api/operations.ts';
import { useApi } from '../../parts/app/use-api.ts';
import type { Samples } from './sample-variables.ts';

export interface ContactSamples {
  /** The address that was chosen; empty for nobody. */
  contact: string;
  choose: (contact: string) => void;
  /** Over the sample values, while it is chosen. They are personal data and never stored in the browser. */
  samples: Samples;
  error: unknown;
}

/** The data of one contact in place of sample values. */
export function useContactSamples(): ContactSamples {
  const api = useApi();
  const [contact, choose] = useState('');
  const { data, error } = useQuery({
    ...api.read('panel_get_contact', { params: { contact } }),
    enabled: contact !== '',
    gcTime: 0,
  });
  const known = contact !== '' && data?.contact === contact ? data : undefined;
  const samples = useMemo(() => (known ? samplesOf(known) : {}), [known]);
  return { contact, choose, samples, error: contact === '' ? null : error };
}

/** As a broadcast gives them to the template. */
export function samplesOf({ contact, answers }: Contact): Samples {
  const told = Object.fromEntries(answers.map(({ field_key, value }) => [field_key, textOf(value)]));
  const name = [told['FIRST_NAME'], told['LAST_NAME']].filter(Boolean).join(' ');
  return {
    'recipient.email': contact,
    ...(name === '' ? {} : { 'recipient.name': name }),
    ...Object.fromEntries(Object.entries(told).map(([key, text]) => [`contact.${key}`, text])),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
