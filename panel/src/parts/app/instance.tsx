import { createContext, useContext, useMemo, type ReactNode } from 'react';
import type { OperationId } from '../../api/request.ts';
import { allows, type Role } from '../../api/roles.ts';
import { useMe } from './me.ts';

export interface InstanceContext {
  slug: string;
  name: string;
  role: Role;
  /** The browser's until the instance's is known. */
  timezone: string;
}

const Context = createContext<InstanceContext | undefined>(undefined);

/** The instance whose pages are open, and what the person is in it. */
export function useInstance(): InstanceContext {
  const instance = useContext(Context);
  if (!instance) throw new Error('This is shown outside of an instance.');
  return instance;
}

/** For parts that are also shown outside of an instance. */
export const useInstanceIfAny = (): InstanceContext | undefined => useContext(Context);

/** Whether the person may do something: where not, its control is not there. */
export function useCan(): (id: OperationId) => boolean {
  const { role } = useInstance();
  return (id) => allows(role, id);
}

/** The same for parts that are also shown outside of an instance: there nobody may. */
export function useMay(): (id: OperationId) => boolean {
  const instance = useInstanceIfAny();
  return (id) => instance !== undefined && allows(instance.role, id);
}

export function InstanceProvider({
  instance: { slug, name, role },
  children,
}: {
  instance: Omit<InstanceContext, 'timezone'>;
  children: ReactNode;
}) {
  const me = useMe();
  const timezone =
    me?.instances.find((each) => each.slug === slug)?.timezone ??
    Intl.DateTimeFormat().resolvedOptions().timeZone;
  const value = useMemo(() => ({ slug, name, role, timezone }), [slug, name, role, timezone]);
  return <Context value={value}>{children}</Context>;
}
