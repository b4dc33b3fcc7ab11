# Calls of stdin with SendGrid's client for Ruby; their results on stdout.
require 'json'
require 'sendgrid-ruby'
include SendGrid

# The same with the classes of its helpers.
def mail_of(given)
  mail = SendGrid::Mail.new
  mail.from = Email.new(email: given['from'], name: given['name'])
  mail.subject = given['subject']
  personalization = Personalization.new
  given['to'].each { |each| personalization.add_to(Email.new(email: each)) }
  personalization.add_cc(Email.new(email: given['cc']))
  personalization.add_bcc(Email.new(email: given['bcc']))
  mail.add_personalization(personalization)
  mail.add_content(Content.new(type: 'text/plain', value: given['text']))
  mail.add_content(Content.new(type: 'text/html', value: given['html']))
  mail.reply_to = Email.new(email: given['reply_to'])
  mail.add_header(Header.new(key: given['header'][0], value: given['header'][1]))
  mail.add_category(Category.new(name: given['category']))
  mail.add_custom_arg(CustomArg.new(key: given['custom_arg'][0], value: given['custom_arg'][1]))
  file = Attachment.new
  file.filename, file.content, file.type = given['attachment']
  file.disposition = 'attachment'
  mail.add_attachment(file)
  mail.to_json
end

def perform(client, op, args)
  case op
  when 'send' then client.mail._('send').post(request_body: args[0])
  when 'mail' then client.mail._('send').post(request_body: mail_of(args[0]))
  when 'get' then client._(args[0]).get
  when 'delete' then client._(args[0]).delete
  when 'post' then client._(args[0]).post(request_body: args[1])
  end
end

told = JSON.parse($stdin.read).map do |call|
  client = SendGrid::API.new(api_key: call['key'], host: ENV.fetch('SENDGRID_HOST')).client
  answer = perform(client, call['op'], call['args'])
  status = answer.status_code.to_i
  body = answer.body.to_s
  if status < 400
    { ok: { status: status, id: answer.headers['x-message-id']&.first, body: body } }
  else
    { error: { class: 'Response', status: status, message: body } }
  end
end
puts told.to_json
