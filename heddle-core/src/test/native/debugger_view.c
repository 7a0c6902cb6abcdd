/*
 * A JVMTI agent that shows child.DebuggerView what a debugger sees of virtual threads. DebuggerViewTest compiles it.
 */
#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#define MAX_FRAMES 64

static jvmtiEnv *jvmti;
static jrawMonitorID lock;

/* HotSpot's extension: the platform thread that a virtual thread is mounted on. */
static jvmtiExtensionFunction carrierOf;

/* The names of the virtual threads whose start the JVM reported, a line each. */
static char started[1 << 14];

/* Appends `text` to `buffer`, and cuts it off at the end of the buffer. */
static void append(char *buffer, size_t size, const char *text) {
  size_t used = strlen(buffer);
  snprintf(buffer + used, size - used, "%s", text);
}

static void JNICALL onStart(jvmtiEnv *env, JNIEnv *jni, jthread thread) {
  jvmtiThreadInfo info;
  if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) == JVMTI_ERROR_NONE) {
    (*jvmti)->RawMonitorEnter(jvmti, lock);
    append(started, sizeof started, info.name);
    append(started, sizeof started, "\n");
    (*jvmti)->RawMonitorExit(jvmti, lock);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
  }
}

static void findExtension(void) {
  jint count = 0;
  jvmtiExtensionFunctionInfo *all = NULL;
  if ((*jvmti)->GetExtensionFunctions(jvmti, &count, &all) == JVMTI_ERROR_NONE) {
    for (int i = 0; i < count; i++) {
      if (strcmp(all[i].id, "com.sun.hotspot.functions.GetCarrierThread") == 0) {
        carrierOf = all[i].func;
      }
    }
  }
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  jvmtiCapabilities wanted;
  jvmtiEventCallbacks callbacks;
  if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_21) != JNI_OK) {
    return JNI_ERR;
  }
  memset(&wanted, 0, sizeof wanted);
  wanted.can_support_virtual_threads = 1;
  wanted.can_suspend = 1;
  wanted.can_access_local_variables = 1;
  memset(&callbacks, 0, sizeof callbacks);
  callbacks.VirtualThreadStart = onStart;
  if ((*jvmti)->AddCapabilities(jvmti, &wanted) != JVMTI_ERROR_NONE ||
      (*jvmti)->CreateRawMonitor(jvmti, "debugger view", &lock) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
      (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VIRTUAL_THREAD_START, NULL) !=
          JVMTI_ERROR_NONE) {
    return JNI_ERR;
  }
  findExtension();
  return carrierOf == NULL ? JNI_ERR : JNI_OK;
}

JNIEXPORT jint JNICALL Java_child_DebuggerView_suspendAll(JNIEnv *jni, jclass type) {
  return (*jvmti)->SuspendAllVirtualThreads(jvmti, 0, NULL);
}

JNIEXPORT jint JNICALL Java_child_DebuggerView_resumeAll(JNIEnv *jni, jclass type) {
  return (*jvmti)->ResumeAllVirtualThreads(jvmti, 0, NULL);
}

/* The methods on the stack of a thread, a line each: "java/lang/Thread.run", or "error n". */
JNIEXPORT jstring JNICALL Java_child_DebuggerView_frames(JNIEnv *jni, jclass type, jthread thread) {
  jvmtiFrameInfo frames[MAX_FRAMES];
  jint count = 0;
  char text[1 << 14] = "";
  jvmtiError error = (*jvmti)->GetStackTrace(jvmti, thread, 0, MAX_FRAMES, frames, &count);
  if (error != JVMTI_ERROR_NONE) {
    snprintf(text, sizeof text, "error %d\n", error);
  }
  for (int i = 0; i < count; i++) {
    char *signature, *name;
    jclass holder;
    char *end;
    (*jvmti)->GetMethodDeclaringClass(jvmti, frames[i].method, &holder);
    (*jvmti)->GetClassSignature(jvmti, holder, &signature, NULL);
    (*jvmti)->GetMethodName(jvmti, frames[i].method, &name, NULL, NULL);
    end = strpbrk(signature, ".;"); /* a dot comes before the address of a hidden class */
    if (end != NULL) {
      *end = 0;
    }
    append(text, sizeof text, signature + 1);
    append(text, sizeof text, ".");
    append(text, sizeof text, name);
    append(text, sizeof text, "\n");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, holder);
  }
  return (*jni)->NewStringUTF(jni, text);
}

/* The local variable in the first slot of the frame at `depth`, an int; or minus the error. */
JNIEXPORT jint JNICALL Java_child_DebuggerView_local(JNIEnv *jni, jclass type, jthread thread, jint depth) {
  jint value;
  jvmtiError error = (*jvmti)->GetLocalInt(jvmti, thread, depth, 0, &value);
  return error == JVMTI_ERROR_NONE ? value : -(jint)error;
}

/*
 * Asks for "this" of the fourth frame from the top of the carrier of `thread`, as OpenJDK's tests of JVMTI do: returns the
 * error, or 1000 if `thread` is not mounted.
 */
JNIEXPORT jint JNICALL Java_child_DebuggerView_instanceOnCarrier(JNIEnv *jni, jclass type, jthread thread) {
  jthread carrier = NULL;
  jobject instance;
  jint error = carrierOf(jvmti, thread, &carrier);
  if (error != JVMTI_ERROR_NONE || carrier == NULL) {
    return 1000;
  }
  (*jvmti)->SuspendThread(jvmti, carrier);
  error = (*jvmti)->GetLocalInstance(jvmti, carrier, 3, &instance);
  (*jvmti)->ResumeThread(jvmti, carrier);
  return error;
}

JNIEXPORT jstring JNICALL Java_child_DebuggerView_started(JNIEnv *jni, jclass type) {
  jstring copy;
  (*jvmti)->RawMonitorEnter(jvmti, lock);
  copy = (*jni)->NewStringUTF(jni, started);
  (*jvmti)->RawMonitorExit(jvmti, lock);
  return copy;
}
