;;; emacs.el --- a session of Emacs with eglot  -*- lexical-binding: t -*-
;;
;; emacs --batch -l emacs.el FILE: opens FILE with the language server $SERVER
;; as docs/editors.md says, and prints what Flymake shows as "CODE:LINE", what a
;; hover says as "hover: ...", and after applying the first quick fix offered
;; "fixed:" with the line it changed. Any error ends with an exit code that is
;; not 0.

(package-initialize)
(require 'eglot)
(require 'flymake)

(if (getenv "SETTINGS")
    (load (getenv "SETTINGS"))
  (add-to-list 'eglot-server-programs
               `((c-mode c++-mode) . (,(getenv "SERVER")))))
(setq eglot-sync-connect t
      eglot-connect-timeout 200
      eglot-confirm-server-initiated-edits nil
      eglot-events-buffer-size 0
      flymake-no-changes-timeout 0.1)

(defun wait-for (what done)
  (let ((end (+ (float-time) 200)))
    (while (not (funcall done))
      (when (> (float-time) end)
        (error "No %s" what))
      (accept-process-output nil 0.1)
      (sit-for 0.1))))

(defun ours ()
  "The diagnostics that eglot has from us, with the server's own words."
  (seq-filter
   (lambda (d)
     (equal (plist-get (alist-get 'eglot-lsp-diag (flymake-diagnostic-data d)) :source)
            "tensortidy"))
   (flymake-diagnostics)))

(defun told (d)
  (alist-get 'eglot-lsp-diag (flymake-diagnostic-data d)))

(let ((file (pop command-line-args-left)))
  (find-file file)
  (c++-mode)
  (call-interactively #'eglot)
  (flymake-mode 1)
  (wait-for "diagnostics" (lambda () (flymake-start) (ours)))
  (dolist (d (ours))
    (princ (format "%s:%d\n" (plist-get (told d) :code)
                   (line-number-at-pos (flymake-diagnostic-beg d)))))
  (let ((first (car (ours))))
    (goto-char (flymake-diagnostic-beg first))
    (let ((hover (jsonrpc-request (eglot--current-server-or-lose)
                                  :textDocument/hover
                                  (eglot--TextDocumentPositionParams))))
      (princ (format "hover: %s\n"
                     (replace-regexp-in-string
                      "\n" " " (plist-get (plist-get hover :contents) :value))))))
  (catch 'done
    (dolist (d (ours))
      (when (string-match-p "fix" (plist-get (told d) :message))
        (goto-char (flymake-diagnostic-beg d))
        (let ((before (thing-at-point 'line t)) (line (line-number-at-pos))
              (last-nonmenu-event ?x)) ; asks with completing-read
          (cl-letf (((symbol-function 'completing-read)
                     (lambda (_prompt choices &rest _)
                       (let ((first (car choices)))
                         (if (consp first) (car first) first)))))
            (eglot-code-actions (flymake-diagnostic-beg d) (flymake-diagnostic-end d)
                                "quickfix" t))
          (wait-for "change" (lambda ()
                               (goto-char (point-min))
                               (forward-line (1- line))
                               (not (equal before (thing-at-point 'line t)))))
          (princ (format "fixed: %s\n" (string-trim (thing-at-point 'line t))))
          (throw 'done t)))))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot--current-server-or-lose)))
