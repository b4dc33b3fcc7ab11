// Calls of stdin with SendGrid's client for Go; their results on stdout.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/sendgrid/rest"
	"github.com/sendgrid/sendgrid-go"
	"github.com/sendgrid/sendgrid-go/helpers/mail"
)

type call struct {
	Op   string            `json:"op"`
	Key  string            `json:"key"`
	Args []json.RawMessage `json:"args"`
}

type given struct {
	From, Name, Subject, Html, Text, Cc, Bcc, Category string
	To                                                 []string
	ReplyTo                                            string   `json:"reply_to"`
	CustomArg                                          []string `json:"custom_arg"`
	Header, Attachment                                 []string
}

// The same with the types of its helpers.
func mailOf(g given) []byte {
	m := mail.NewV3Mail().SetFrom(mail.NewEmail(g.Name, g.From))
	m.Subject = g.Subject
	p := mail.NewPersonalization()
	for _, each := range g.To {
		p.AddTos(mail.NewEmail("", each))
	}
	p.AddCCs(mail.NewEmail("", g.Cc))
	p.AddBCCs(mail.NewEmail("", g.Bcc))
	m.AddPersonalizations(p)
	m.AddContent(mail.NewContent("text/plain", g.Text), mail.NewContent("text/html", g.Html))
	m.SetReplyTo(mail.NewEmail("", g.ReplyTo))
	m.SetHeader(g.Header[0], g.Header[1])
	m.AddCategories(g.Category)
	m.SetCustomArg(g.CustomArg[0], g.CustomArg[1])
	file := mail.NewAttachment().SetFilename(g.Attachment[0]).SetContent(g.Attachment[1])
	m.AddAttachment(file.SetType(g.Attachment[2]).SetDisposition("attachment"))
	return mail.GetRequestBody(m)
}

func read(from json.RawMessage, into interface{}) {
	if err := json.Unmarshal(from, into); err != nil {
		panic(err)
	}
}

func perform(c call) (*rest.Response, error) {
	path := "mail/send"
	if c.Op == "get" || c.Op == "delete" || c.Op == "post" {
		read(c.Args[0], &path)
	}
	request := sendgrid.GetRequest(c.Key, "/v3/"+path, os.Getenv("SENDGRID_HOST"))
	request.Method = map[string]rest.Method{"get": rest.Get, "delete": rest.Delete}[c.Op]
	switch c.Op {
	case "send":
		request.Method, request.Body = rest.Post, c.Args[0]
	case "post":
		request.Method, request.Body = rest.Post, c.Args[1]
	case "mail":
		g := given{}
		read(c.Args[0], &g)
		request.Method, request.Body = rest.Post, mailOf(g)
	}
	return sendgrid.API(request)
}

func main() {
	calls := []call{}
	if err := json.NewDecoder(os.Stdin).Decode(&calls); err != nil {
		panic(err)
	}
	results := []map[string]interface{}{}
	for _, each := range calls {
		answer, err := perform(each)
		if err != nil {
			panic(err)
		}
		told := map[string]interface{}{"class": "Response", "status": answer.StatusCode, "message": answer.Body}
		name := "error"
		if answer.StatusCode < 400 {
			name = "ok"
			told = map[string]interface{}{"status": answer.StatusCode, "body": answer.Body, "id": ""}
			if ids := answer.Headers["X-Message-Id"]; len(ids) > 0 {
				told["id"] = ids[0]
			}
		}
		results = append(results, map[string]interface{}{name: told})
	}
	text, err := json.Marshal(results)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
