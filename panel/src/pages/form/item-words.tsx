import {
  IconAlignLeft,
  IconAt,
  IconCalendar,
  IconCheckbox,
  IconCircleCheck,
  IconHash,
  IconLink,
  IconList,
  IconListCheck,
  IconMapPin,
  IconPhone,
  IconSeparator,
  IconTextCaption,
  IconTextSize,
  IconToggleLeft,
  type Icon,
} from '@tabler/icons-react';
import type { Field } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import type { Catalogue } from './catalogue.ts';
import type { DraftItem } from './draft.ts';

export const fieldIcons: Record<Field['type'], Icon> = {
  email: IconAt,
  phone: IconPhone,
  text: IconTextSize,
  textarea: IconAlignLeft,
  number: IconHash,
  date: IconCalendar,
  select: IconCircleCheck,
  multiselect: IconListCheck,
  boolean: IconToggleLeft,
  url: IconLink,
  address: IconMapPin,
};
export const kindIcons: Record<'consent' | 'text' | 'divider', Icon> = {
  consent: IconCheckbox,
  text: IconTextCaption,
  divider: IconSeparator,
};

export interface ItemWords {
  icon: Icon;
  /** As people see it on the form. */
  title: string;
  /** What it is. */
  about: string;
}

/** What an item is called, and what it is. */
export function useItemWords(catalogue: Catalogue): (item: DraftItem) => ItemWords {
  const t = useMessages('form');
  const { types } = useMessages('fields');
  return (item) => {
    const label = item.label.trim();
    const marks = [item.is_required && t.required, item.width === 'half' && t.half].filter(Boolean);
    if (item.kind === 'field') {
      const field = catalogue.fieldOf(item);
      if (!field) return { icon: IconList, title: label || t.unknown, about: t.unknown };
      return {
        icon: fieldIcons[field.type],
        title: label || field.name,
        about: [types[field.type], ...marks].join(' · '),
      };
    }
    const icon = kindIcons[item.kind];
    if (item.kind === 'consent') {
      const name = catalogue.termOf(item)?.name ?? t.unknown;
      return {
        icon,
        title: label || name,
        about: [t.consent, ...(label ? [name] : []), ...marks].join(' · '),
      };
    }
    if (item.kind === 'divider') return { icon, title: t.divider, about: '' };
    return { icon, title: item.content.trim().split('\n')[0] || t.text, about: t.text };
  };
}
