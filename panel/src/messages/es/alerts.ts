import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/alerts.ts';
import { counted } from './counting.ts';

export const messages: Translation<typeof english> = {
  title: 'Alertas',
  about: 'Lo que requiere tu atención. Cada alerta se cierra sola cuando desaparece su causa.',
  what: 'Qué pasó',
  kind: 'Tipo',
  state: 'Estado',
  open: 'Abierta',
  resolved: 'Resuelta',
  raised: 'Desde',
  ended: 'Hasta',
  empty: 'Sin alertas',
  empty_about: 'Todo está en orden. Las reglas de abajo se revisan cada minuto.',
  none: 'No hay nada pendiente.',
  all: 'Todas las alertas y reglas',
  mark_read: 'Marcar todo como leído',
  rules: 'Reglas',
  rules_about:
    'Los dueños y administradores reciben un correo por cada alerta nueva de las reglas que elijas. Si son varias a la vez, es un solo correo.',
  enabled: 'Activa',
  by_mail: 'Correo',
  saved: 'La regla se guardó.',
  threshold_of: (rule) => `Umbral: ${rule}`,
  kinds: {
    bounce_rate: 'Tasa de rebote',
    complaint_rate: 'Tasa de denuncias',
    webhook_failing: 'Webhook con fallas',
    domain_failed: 'Dominio con fallas',
    plan_usage: 'Uso del plan',
    sending_held: 'Correo retenido',
    privacy_request_due: 'Solicitud de derechos por vencer',
  },
  kinds_about: {
    bounce_rate: 'Porcentaje de correos rebotados en 24 horas, desde 100 correos.',
    complaint_rate: 'Porcentaje de correos entregados que fueron denunciados en 24 horas, desde 100 correos.',
    webhook_failing: 'Entregas fallidas seguidas. Se cierra con la próxima entrega exitosa.',
    domain_failed: 'Un dominio no pasó su última validación.',
    plan_usage: 'Porcentaje del plan que se usó este mes.',
    sending_held: 'Correos aceptados que esperan porque su dominio dejó de estar verificado.',
    privacy_request_due: 'Días antes del vencimiento de una solicitud abierta.',
  },
  sentences: {
    bounce_rate: (share) => `Rebotó el ${share} de los correos de las últimas 24 horas`,
    complaint_rate: (share) => `Se denunció el ${share} de los correos de las últimas 24 horas`,
    plan_usage: (share) => `Se usó el ${share} del plan de este mes`,
    webhook_failing: (name) => `El webhook «${name}» falla`,
    domain_failed: (name) => `El dominio ${name} no pasó su última validación`,
    sending_held: 'Hay correos retenidos',
    privacy_request_due: (days) =>
      days === 0
        ? 'Venció el plazo de una solicitud de derechos'
        : `Una solicitud de derechos vence en ${counted(days, 'día', 'días')}`,
  },
};
